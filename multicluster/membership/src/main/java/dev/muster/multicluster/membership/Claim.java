package dev.muster.multicluster.membership;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A cluster's wish to be in a set under an ID.
 *
 * @param hubSecret names the Secret with the way to the hub
 * @param hub which hub that was when the claim was written down; null where the hub did not say
 */
public record Claim(
    String clusterSet, String clusterId, String hubSecret, @Nullable HubIdentity hub) {
  public Claim(String clusterSet, String clusterId, String hubSecret) {
    this(clusterSet, clusterId, hubSecret, null);
  }

  Claim at(Optional<HubIdentity> found) {
    return new Claim(clusterSet, clusterId, hubSecret, found.orElse(hub));
  }
}
