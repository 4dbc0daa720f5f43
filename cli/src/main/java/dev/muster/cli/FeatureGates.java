package dev.muster.cli;

import java.util.Set;

/** Features of Muster's own that can be switched. */
final class FeatureGates {
  static final Set<String> OWN =
      Set.of("APIServerIdentity", "EnableCoordinatedDiscoveryDocument", "DualStackAPIServer");

  private FeatureGates() {}
}
