package dev.muster.registry.rules.workloads;

import dev.muster.model.go.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonBool;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.NumberRules;
import dev.muster.registry.rules.FieldCursor;
import dev.muster.registry.rules.Rules;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** As whom containers run, and what they may do. */
final class Security {
  private static final int LONGEST_PROFILE = 4095;
  private static final int LONGEST_SYSCTL = 253;
  private static final String SYSCTL =
      "([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
  private static final Set<String> IPC_SYSCTLS =
      Set.of(
          "kernel.sem",
          "kernel.shm",
          "kernel.shmall",
          "kernel.shmmax",
          "kernel.shmmni",
          "kernel.shm_rmid_forced",
          "kernel.msg",
          "kernel.msgmax",
          "kernel.msgmnb",
          "kernel.msgmni");
  private static final Pattern SYSCTL_PATTERN = Pattern.compile(SYSCTL);
  private static final List<String> PROFILES = List.of("Localhost", "RuntimeDefault", "Unconfined");

  private Security() {}

  static void ofPod(FieldCursor spec) {
    var context = spec.at("securityContext");
    for (var name : List.of("fsGroup", "runAsUser", "runAsGroup")) {
      id(context.at(name));
    }
    context.at("supplementalGroups").items().forEach(Security::id);
    if (spec.at("shareProcessNamespace").isTrue() && spec.at("hostPID").isTrue()) {
      context
          .at("shareProcessNamespace")
          .invalid(JsonBool.TRUE, "ShareProcessNamespace and HostPID cannot both be enabled");
    }
    sysctls(context.at("sysctls"), spec);
    PodValues.optionalChoice(context.at("fsGroupChangePolicy"), "Always", "OnRootMismatch");
    seccomp(context.at("seccompProfile"));
    WindowsRules.options(context.at("windowsOptions"));
    appArmor(context.at("appArmorProfile"));
    PodValues.optionalChoice(context.at("supplementalGroupsPolicy"), "Merge", "Strict");
    if (context.at("seLinuxChangePolicy").before().isPresent()) {
      PodValues.optionalChoice(context.at("seLinuxChangePolicy"), "MountOption", "Recursive");
    } else {
      PodValues.optionalChoice(context.at("seLinuxChangePolicy"), "Recursive");
    }
  }

  static void ofContainer(FieldCursor context, FieldCursor spec) {
    if (context.isAbsent()) {
      return;
    }
    id(context.at("runAsUser"));
    id(context.at("runAsGroup"));
    var mount = context.at("procMount");
    PodValues.optionalChoice(mount, "Default", "Unmasked");
    if (mount.isText("Unmasked") && spec.at("hostUsers").value() != JsonBool.FALSE) {
      mount.invalid("`hostUsers` must be false to use `Unmasked`");
    }
    seccomp(context.at("seccompProfile"));
    if (context.at("allowPrivilegeEscalation").value() == JsonBool.FALSE) {
      if (context.at("privileged").isTrue()) {
        context.invalid("cannot set `allowPrivilegeEscalation` to false and `privileged` to true");
      }
      for (var added : context.at("capabilities", "add").array().strings()) {
        if (added.equals("CAP_SYS_ADMIN")) {
          context.invalid(
              "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add`"
                  + " CAP_SYS_ADMIN");
        }
      }
    }
    WindowsRules.options(context.at("windowsOptions"));
    appArmor(context.at("appArmorProfile"));
  }

  private static void id(FieldCursor id) {
    if (id.isPresent()) {
      id.invalidEach(NumberRules.unixId(id.integer()));
    }
  }

  private static void hostSysctl(FieldCursor name, FieldCursor spec) {
    var dotted = dotted(name.text());
    if (spec.at("hostNetwork").isTrue() && dotted.startsWith("net.")) {
      name.invalid("may not be specified when 'hostNetwork' is true");
    } else if (spec.at("hostIPC").isTrue() && isIpc(dotted)) {
      name.invalid("may not be specified when 'hostIPC' is true");
    }
  }

  private static void sysctls(FieldCursor sysctls, FieldCursor spec) {
    var names = new HashSet<String>();
    boolean tolerated =
        sysctls.before().items().stream()
            .anyMatch(old -> Rules.breaks(old.at("name"), name -> hostSysctl(name, spec.before())));
    for (var sysctl : sysctls.items()) {
      var place = sysctl.at("name");
      var name = place.text();
      if (name.isEmpty()) {
        place.required("");
      } else if (name.length() > LONGEST_SYSCTL || !SYSCTL_PATTERN.matcher(name).matches()) {
        place.invalid(
            "must have at most " + LONGEST_SYSCTL + " characters and match regex ^" + SYSCTL + "$");
      } else if (names.contains(name)) {
        place.duplicate();
      }
      if (!tolerated) {
        hostSysctl(place, spec);
      }
      names.add(name);
    }
  }

  /** A name may be written with slashes; then its dots and slashes are exchanged. */
  private static String dotted(String name) {
    int first = 0;
    while (first < name.length() && name.charAt(first) != '.' && name.charAt(first) != '/') {
      first++;
    }
    if (first == name.length() || name.charAt(first) == '.') {
      return name;
    }
    return name.replace('.', '\n').replace('/', '.').replace('\n', '/');
  }

  private static boolean isIpc(String name) {
    int star = name.indexOf('*');
    return IPC_SYSCTLS.contains(star < 0 ? name : name.substring(0, star))
        || name.startsWith("fs.mqueue.");
  }

  private static void seccomp(FieldCursor profile) {
    if (profile.isAbsent()) {
      return;
    }
    var type = profile.at("type");
    var local = profile.at("localhostProfile");
    if (type.isEmpty()) {
      type.required("type is required when seccompProfile is set");
    } else if (!PROFILES.contains(type.text())) {
      type.notSupported(PROFILES);
    }
    if (!type.isText("Localhost")) {
      if (local.isPresent()) {
        local.invalid(profile.object(), "can only be set when seccomp type is Localhost");
      }
    } else if (local.isAbsent()) {
      local.required("must be set when seccomp type is Localhost");
    } else {
      PodValues.descending(local, local.text());
    }
  }

  private static void appArmor(FieldCursor profile) {
    if (profile.isAbsent()) {
      return;
    }
    var type = profile.at("type");
    var local = profile.at("localhostProfile");
    switch (type.text()) {
      case "Localhost" -> {
        var name = local.text();
        if (local.isPresent() && !name.strip().equals(name)) {
          local.invalid("must not be padded with whitespace");
        } else if (name.isEmpty()) {
          local.required("must be set when AppArmor type is Localhost");
        }
        if (GoText.bytes(name) > LONGEST_PROFILE) {
          local.tooLong(LONGEST_PROFILE);
        }
      }
      case "RuntimeDefault", "Unconfined" -> {
        if (local.isPresent()) {
          local.invalid("can only be set when AppArmor type is Localhost");
        }
      }
      case "" -> type.required("type is required when appArmorProfile is set");
      default -> type.notSupported(PROFILES);
    }
  }

  /** What annotations say and what fields say is the same. */
  static void annotationsMatch(FieldCursor annotations, FieldCursor spec) {
    var profile = spec.at("securityContext", "seccompProfile");
    var key = "seccomp.security.alpha.kubernetes.io/pod";
    if (profile.isPresent() && annotations.has(key)) {
      match(profile, annotations.entry(key).text(), "seccomp");
    }
    PodSpecRules.containers(spec)
        .forEach(
            container -> {
              var own = container.at("securityContext", "seccompProfile");
              var name = "container.seccomp.security.alpha.kubernetes.io/" + nameOf(container);
              if (own.isPresent() && annotations.has(name)) {
                match(own, annotations.entry(name).text(), "seccomp");
              }
            });
    if (spec.at("os", "name").isText("windows")) {
      return;
    }
    var ofPod = spec.at("securityContext", "appArmorProfile");
    PodSpecRules.containers(spec)
        .forEach(
            container -> {
              var own = container.at("securityContext", "appArmorProfile");
              var name = AppArmor.ANNOTATION + nameOf(container);
              if (annotations.has(name) && (own.isPresent() || ofPod.isPresent())) {
                match(
                    own.isPresent() ? own : own.with(ofPod.value()),
                    annotations.entry(name).text(),
                    "apparmor");
              }
            });
  }

  private static String nameOf(FieldCursor container) {
    return container.at("name").text();
  }

  private static void match(FieldCursor profile, String annotation, String what) {
    boolean matches =
        switch (profile.at("type").text()) {
          case "Unconfined" -> annotation.equals("unconfined");
          case "RuntimeDefault" ->
              annotation.equals("runtime/default")
                  || (what.equals("seccomp") && annotation.equals("docker/default"));
          case "Localhost" -> annotation.startsWith(AppArmor.LOCALHOST);
          default -> true;
        };
    if (!matches) {
      profile.at("type").forbidden(what + " type in annotation and field must match");
    } else if (profile.at("type").isText("Localhost")
        && !annotation
            .substring(AppArmor.LOCALHOST.length())
            .equals(profile.at("localhostProfile").text())) {
      profile
          .at("localhostProfile")
          .forbidden(what + " profile in annotation and field must match");
    }
  }

  /** Annotations that mean something for pods. */
  static void annotations(FieldCursor annotations, FieldCursor spec) {
    var mirror = annotations.entry("kubernetes.io/config.mirror");
    if (mirror.isPresent() && spec.at("nodeName").isEmpty()) {
      mirror.invalid("must set spec.nodeName if mirror pod annotation is set");
    }
    TolerationAnnotation.check(annotations);
    var cost = annotations.entry("controller.kubernetes.io/pod-deletion-cost");
    if (cost.isPresent() && !isInt32(cost.text()) && !hadBadCost(cost.before())) {
      cost.invalid("must be a 32bit integer");
    }
    for (var entry : annotations.entries()) {
      var name = entry.name();
      if (name.equals("seccomp.security.alpha.kubernetes.io/pod")
          || name.startsWith("container.seccomp.security.alpha.kubernetes.io/")) {
        seccompAnnotation(annotations.at(name), entry.text());
      }
    }
    for (var entry : annotations.entries()) {
      if (entry.name().startsWith(AppArmor.ANNOTATION)) {
        appArmorAnnotation(entry, spec);
      }
    }
  }

  private static boolean hadBadCost(FieldCursor before) {
    return before.isPresent() && !isInt32(before.text());
  }

  /** Digits after a sign or not; a sign is a minus, and only zero itself starts with zero. */
  private static boolean isInt32(String text) {
    boolean negative = text.startsWith("-");
    int digits = negative ? 1 : 0;
    if (text.length() == digits || (!negative && text.startsWith("0") && !text.equals("0"))) {
      return false;
    }
    long value = 0;
    for (int i = digits; i < text.length(); i++) {
      char c = text.charAt(i);
      value = value * 10 + (c - '0');
      if (c < '0' || c > '9' || value > Integer.MAX_VALUE + (negative ? 1L : 0L)) {
        return false;
      }
    }
    return true;
  }

  private static void seccompAnnotation(FieldCursor place, String profile) {
    switch (profile) {
      case "runtime/default", "docker/default", "unconfined" -> {}
      default -> {
        if (profile.startsWith(AppArmor.LOCALHOST)) {
          PodValues.descending(place, profile.substring(AppArmor.LOCALHOST.length()));
        } else {
          place.invalid(Json.of(profile), "must be a valid seccomp profile");
        }
      }
    }
  }

  private static void appArmorAnnotation(FieldCursor entry, FieldCursor spec) {
    var container = entry.name().substring(AppArmor.ANNOTATION.length());
    if (!DisabledFields.anyContainer(spec.object(), one -> one.string("name").equals(container))) {
      entry.invalid(Json.of(container), "container not found");
    }
    var profile = entry.text();
    if (!profile.isEmpty()
        && !profile.equals("runtime/default")
        && !profile.equals("unconfined")
        && !profile.startsWith(AppArmor.LOCALHOST)) {
      entry.report(
          FieldError.invalid(
              entry.path(), profile, "invalid AppArmor profile name: " + GoText.quote(profile)));
    }
  }
}
