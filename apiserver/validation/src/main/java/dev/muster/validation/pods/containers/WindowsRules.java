package dev.muster.validation.pods.containers;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonBool;
import dev.muster.model.validation.Names;
import dev.muster.validation.FieldCursor;
import java.util.List;
import java.util.regex.Pattern;

/** Validates fields that depend on the operating system. */
public final class WindowsRules {
  private static final int LONGEST_SPEC = 64 * 1024;
  private static final int LONGEST_DOMAIN = 256;
  private static final int LONGEST_USER = 104;
  private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");
  private static final Pattern NETBIOS = Pattern.compile("[^\\\\/:*?\"<>|.][^\\\\/:*?\"<>|]{0,14}");
  private static final Pattern LABEL =
      Pattern.compile("[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?");
  private static final Pattern FORBIDDEN = Pattern.compile("[\"/\\\\:;|=,+*?<>@\\[\\]]");
  private static final Pattern ONLY_DOTS = Pattern.compile("[. ]+");
  private static final String NOT_ON_WINDOWS = "cannot be set for a windows pod";
  private static final String NOT_ON_LINUX = "windows options cannot be set for a linux pod";

  private WindowsRules() {}

  static void options(FieldCursor options) {
    if (options.isAbsent()) {
      return;
    }
    var name = options.at("gmsaCredentialSpecName");
    if (name.isPresent()) {
      Names.dnsSubdomain(name.text()).forEach(name::invalidTyped);
    }
    var spec = options.at("gmsaCredentialSpec");
    if (spec.isPresent()) {
      if (spec.isEmpty()) {
        spec.invalidTyped("gmsaCredentialSpec cannot be an empty string");
      } else if (GoText.bytes(spec.text()) > LONGEST_SPEC) {
        spec.invalidTyped("gmsaCredentialSpec size must be under 64 KiB");
      }
    }
    if (options.has("runAsUserName")) {
      userName(options.at("runAsUserName"));
    }
  }

  private static void userName(FieldCursor name) {
    var text = name.text();
    var parts = text.split("\\\\", -1);
    if (text.isEmpty()) {
      name.invalidTyped("runAsUserName cannot be an empty string");
    } else if (CONTROL.matcher(text).find()) {
      name.invalidTyped("runAsUserName cannot contain control characters");
    } else if (parts.length > 2) {
      name.invalidTyped("runAsUserName cannot contain more than one backslash");
    } else {
      var domain = parts.length == 1 ? "" : parts[0];
      var user = parts[parts.length - 1];
      if (GoText.bytes(domain) >= LONGEST_DOMAIN) {
        name.invalidTyped("runAsUserName's Domain length must be under 256 characters");
      }
      if (parts.length == 2 && !NETBIOS.matcher(domain).matches() && !isDomain(domain)) {
        name.invalidTyped("runAsUserName's Domain doesn't match the NetBios nor the DNS format");
      }
      if (user.isEmpty()) {
        name.invalidTyped("runAsUserName's User cannot be empty");
      } else if (GoText.bytes(user) > LONGEST_USER) {
        name.invalidTyped("runAsUserName's User length must not be longer than 104 characters");
      }
      if (ONLY_DOTS.matcher(user).matches()) {
        name.invalidTyped("runAsUserName's User cannot contain only periods or spaces");
      }
      if (FORBIDDEN.matcher(user).find()) {
        name.invalidTyped(
            "runAsUserName's User cannot contain the following characters: \"/\\:;|=,+*?<>@[]");
      }
    }
  }

  private static boolean isDomain(String domain) {
    for (var label : domain.split("\\.", -1)) {
      if (!LABEL.matcher(label).matches()) {
        return false;
      }
    }
    return true;
  }

  /** Requires that either all containers are host process containers or none. */
  public static void hostProcess(FieldCursor spec) {
    var ofPod = spec.at("securityContext", "windowsOptions", "hostProcess");
    int count = 0;
    int onHost = 0;
    for (var container : ContainerRules.containers(spec)) {
      count++;
      var own = container.at("securityContext", "windowsOptions", "hostProcess");
      if (ofPod.isPresent() && own.isPresent() && ofPod.isTrue() != own.isTrue()) {
        own.invalid(
            "pod hostProcess value must be identical if both are specified, was " + ofPod.isTrue());
      }
      onHost += (own.isPresent() ? own : ofPod).isTrue() ? 1 : 0;
    }
    if (onHost == 0) {
      return;
    }
    if (onHost != count) {
      spec.invalid(
          Json.of(""),
          "If pod contains any hostProcess containers then all containers must be HostProcess"
              + " containers");
    }
    if (!spec.at("hostNetwork").isTrue()) {
      spec.at("hostNetwork")
          .invalid(
              JsonBool.FALSE,
              "hostNetwork must be true if pod contains any hostProcess containers");
    }
  }

  public static void system(FieldCursor spec) {
    var system = spec.at("os");
    if (system.isAbsent()) {
      return;
    }
    switch (system.at("name").text()) {
      case "" -> system.at("name").required("");
      case "linux" -> {
        forbid(spec, NOT_ON_LINUX, List.of("securityContext.windowsOptions"));
        for (var container : ContainerRules.containers(spec)) {
          forbid(container, NOT_ON_LINUX, List.of("securityContext.windowsOptions"));
        }
      }
      case "windows" -> windows(spec);
      default -> system.with(system.at("name").value()).notSupported(List.of("linux", "windows"));
    }
  }

  private static void windows(FieldCursor spec) {
    forbid(
        spec,
        NOT_ON_WINDOWS,
        List.of(
            "securityContext.appArmorProfile",
            "securityContext.seLinuxOptions",
            "hostUsers",
            "hostPID",
            "hostIPC",
            "securityContext.seccompProfile",
            "securityContext.fsGroup",
            "securityContext.fsGroupChangePolicy",
            "securityContext.sysctls",
            "shareProcessNamespace",
            "securityContext.runAsUser",
            "securityContext.runAsGroup",
            "securityContext.supplementalGroups",
            "securityContext.supplementalGroupsPolicy",
            "securityContext.seLinuxChangePolicy"));
    for (var container : ContainerRules.containers(spec)) {
      forbid(
          container,
          NOT_ON_WINDOWS,
          List.of(
              "securityContext.appArmorProfile",
              "securityContext.seLinuxOptions",
              "securityContext.seccompProfile",
              "securityContext.capabilities",
              "securityContext.readOnlyRootFilesystem",
              "securityContext.privileged",
              "securityContext.allowPrivilegeEscalation",
              "securityContext.procMount",
              "securityContext.runAsUser",
              "securityContext.runAsGroup"));
    }
  }

  private static void forbid(FieldCursor place, String detail, List<String> paths) {
    for (var path : paths) {
      var found = place;
      for (var name : path.split("\\.")) {
        found = found.at(name);
      }
      boolean unset =
          found.isAbsent()
              || (found.value() == JsonBool.FALSE
                  && (path.equals("hostPID") || path.equals("hostIPC")));
      if (!unset) {
        found.forbidden(detail);
      }
    }
  }
}
