package dev.muster.multicluster.membership;

import java.util.Optional;

/**
 * The state from which the next membership step is decided.
 *
 * @param wanted the desired set and the Secret of its hub, if any
 * @param id the cluster ID
 * @param mirror the set in the property {@code clusterset.k8s.io}
 * @param recorded the claim that was made or is about to be made
 * @param state of the recorded claim in the hub; absent without one
 */
public record MembershipState(
    Optional<Target> wanted,
    Optional<String> id,
    Optional<String> mirror,
    Optional<Claim> recorded,
    ClaimState state) {

  /** A set and the Secret with its hub's kubeconfig. */
  public record Target(String clusterSet, String hubSecret) {}
}
