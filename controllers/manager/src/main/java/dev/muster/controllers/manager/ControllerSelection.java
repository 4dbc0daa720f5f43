package dev.muster.controllers.manager;

import dev.muster.controllers.Controller;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The selection of controllers in upstream's notation: {@code *} for all that run by default, a
 * name to enable, {@code -name} to disable. An explicit entry takes precedence over the asterisk.
 */
public record ControllerSelection(List<String> entries) {
  /** Controllers that the asterisk does not include. */
  private static final Set<String> OFF_BY_DEFAULT =
      Set.of("bootstrap-signer-controller", "token-cleaner-controller");

  public ControllerSelection {
    entries = List.copyOf(entries);
  }

  public static ControllerSelection all() {
    return new ControllerSelection(List.of("*"));
  }

  /**
   * The selected ones of the given controllers.
   *
   * @throws IllegalArgumentException for an unknown name
   */
  public List<Controller> of(List<Controller> controllers) {
    var names = new TreeSet<String>();
    controllers.forEach(controller -> names.add(controller.name()));
    for (var entry : entries) {
      var name = entry.startsWith("-") ? entry.substring(1) : entry;
      if (!entry.equals("*") && !names.contains(full(name, names))) {
        throw new IllegalArgumentException(
            "--controllers: \"%s\" is not in the list of known controllers: %s"
                .formatted(name, String.join(", ", names)));
      }
    }
    return controllers.stream().filter(controller -> isOn(controller.name(), names)).toList();
  }

  private boolean isOn(String controller, TreeSet<String> names) {
    for (var entry : entries) {
      if (full(entry, names).equals(controller)) {
        return true;
      }
      if (entry.startsWith("-") && full(entry.substring(1), names).equals(controller)) {
        return false;
      }
    }
    return entries.contains("*") && !OFF_BY_DEFAULT.contains(controller);
  }

  /** Names without {@code -controller} are upstream's older aliases. */
  private static String full(String name, TreeSet<String> names) {
    if (names.contains(name)) {
      return name;
    }
    return switch (name) {
      case "garbagecollector" -> "garbage-collector-controller";
      case "root-ca-cert-publisher" -> "root-ca-certificate-publisher-controller";
      case "endpoint" -> "endpoints-controller";
      case "endpointslicemirroring" -> "endpointslice-mirroring-controller";
      case "podgc" -> "pod-garbage-collector-controller";
      case "pvc-protection" -> "persistentvolumeclaim-protection-controller";
      case "pv-protection" -> "persistentvolume-protection-controller";
      case "csrapproving" -> "certificatesigningrequest-approving-controller";
      case "csrsigning" -> "certificatesigningrequest-signing-controller";
      case "csrcleaner" -> "certificatesigningrequest-cleaner-controller";
      case "bootstrapsigner" -> "bootstrap-signer-controller";
      case "storage-version-gc" -> "storageversion-garbage-collector-controller";
      case "tokencleaner" -> "token-cleaner-controller";
      case "legacy-service-account-token-cleaner" ->
          "legacy-serviceaccount-token-cleaner-controller";
      default -> name + "-controller";
    };
  }
}
