package dev.muster.cli;

import dev.muster.cli.flags.FlagException;
import dev.muster.cli.flags.KnownNames;
import java.util.Map;
import java.util.Set;

/** The features that can be switched: Muster's own, and by name those of Kubernetes. */
final class FeatureGates {
  private static final Set<String> OWN =
      Set.of(
          "APIServerIdentity",
          "EnableCoordinatedDiscoveryDocument",
          "DualStackAPIServer",
          "WatchReauthorization");

  private FeatureGates() {}

  /**
   * @throws FlagException naming the first gate that nobody knows, or that is locked to something
   *     else
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
}
