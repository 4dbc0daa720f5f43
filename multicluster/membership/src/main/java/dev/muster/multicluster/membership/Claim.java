package dev.muster.multicluster.membership;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A cluster's claim to an ID in a ClusterSet.
 *
 * @param hubSecret the name of the Secret with the kubeconfig of the hub
 * @param hub the identity of the hub when the claim was recorded; null if unknown
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
