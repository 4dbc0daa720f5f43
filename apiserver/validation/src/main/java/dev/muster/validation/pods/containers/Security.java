package dev.muster.validation.pods.containers;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.JsonBool;
import dev.muster.model.validation.NumberRules;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.Rules;
import dev.muster.validation.ValueChecks;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Validates the security contexts of pods and containers. */
public final class Security {
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

  public static void ofPod(FieldCursor spec) {
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
    ValueChecks.optionalChoice(context.at("fsGroupChangePolicy"), "Always", "OnRootMismatch");
    seccomp(context.at("seccompProfile"));
    WindowsRules.options(context.at("windowsOptions"));
    appArmor(context.at("appArmorProfile"));
    ValueChecks.optionalChoice(context.at("supplementalGroupsPolicy"), "Merge", "Strict");
    if (context.at("seLinuxChangePolicy").before().isPresent()) {
      ValueChecks.optionalChoice(context.at("seLinuxChangePolicy"), "MountOption", "Recursive");
    } else {
      ValueChecks.optionalChoice(context.at("seLinuxChangePolicy"), "Recursive");
    }
  }

  static void ofContainer(FieldCursor context, FieldCursor spec) {
    if (context.isAbsent()) {
      return;
    }
    id(context.at("runAsUser"));
    id(context.at("runAsGroup"));
    var mount = context.at("procMount");
    ValueChecks.optionalChoice(mount, "Default", "Unmasked");
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

  /** A sysctl name in dotted form. In the form with slashes, dots and slashes are exchanged. */
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
      PodFiles.descending(local, local.text());
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
}
