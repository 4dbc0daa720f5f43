package dev.muster.server.flags;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** The known feature gates: Muster's own, and those of Kubernetes by name. */
final class FeatureGates {
  private static final Set<String> OWN =
      Set.of(
          "APIServerIdentity",
          "EnableCoordinatedDiscoveryDocument",
          "DualStackAPIServer",
          "WatchReauthorization");

  /** Gates of Kubernetes that have an effect in Muster. */
  private static final Set<String> IN_FORCE =
      Set.of(
          "AllAlpha",
          "AllBeta",
          "AllowUnsafeMalformedObjectDeletion",
          "CBORServingAndStorage",
          "ComponentFlagz",
          "ComponentStatusz",
          "KMSv1",
          "ManifestBasedAdmissionControlConfig",
          "StorageVersionAPI",
          "StorageVersionMigrator",
          "StructuredAuthenticationConfigurationEgressSelector",
          "UnknownVersionInteroperabilityProxy");

  private FeatureGates() {}

  /**
   * @throws FlagException naming the first gate that is unknown or locked to another value
   */
  static void check(Map<String, Boolean> gates) {
    if (gates.isEmpty()) {
      return;
    }
    var known = KnownNames.featureGates();
    gates.forEach(
        (gate, value) -> {
          if (OWN.contains(gate)) {
            return;
          }
          if (!known.contains(gate)) {
            throw new FlagException("--feature-gates: unrecognized feature gate: " + gate);
          }
          if (known.contains(gate + " locked to " + !value)) {
            throw new FlagException(
                "--feature-gates: cannot set feature gate %s to %s, feature is locked to %s"
                    .formatted(gate, value, !value));
          }
        });
  }

  /** A log line for each gate whose value has no effect. */
  static List<String> remarks(Map<String, Boolean> gates) {
    if (gates.isEmpty()) {
      return List.of();
    }
    var known = KnownNames.featureGates();
    return gates.entrySet().stream()
        .filter(gate -> !OWN.contains(gate.getKey()) && !IN_FORCE.contains(gate.getKey()))
        .filter(gate -> known.contains(gate.getKey() + " is " + !gate.getValue()))
        .map(
            gate -> "--feature-gates=%s=%s has no effect".formatted(gate.getKey(), gate.getValue()))
        .sorted()
        .toList();
  }
}
