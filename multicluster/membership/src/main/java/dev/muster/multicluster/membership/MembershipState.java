package dev.muster.multicluster.membership;

import java.util.Optional;

/**
 * All that the next step of a membership depends on.
 *
 * @param wanted where the cluster is to be a member, if anywhere: the set and the way to its hub
 * @param id the cluster's ID
 * @param mirror the set that the cluster shows as its own, by {@code clusterset.k8s.io}
 * @param recorded the claim that was or is about to be made
 * @param state what the hub says of the recorded claim; absent without one
 */
public record MembershipState(
    Optional<Target> wanted,
    Optional<String> id,
    Optional<String> mirror,
    Optional<Claim> recorded,
    ClaimState state) {

  /** A set and the Secret with the way to its hub. */
  public record Target(String clusterSet, String hubSecret) {}
}
