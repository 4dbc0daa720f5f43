package dev.muster.multicluster.membership;

/** The state of a claim in the hub. */
public sealed interface ClaimState {
  /** The ID is free in that ClusterSet. */
  record Absent() implements ClaimState {}

  /** This cluster holds the ID. */
  record Ours(Phase phase) implements ClaimState {}

  /** Another cluster holds the ID. */
  record Theirs(String clusterUid) implements ClaimState {}

  /** The kubeconfig leads to another hub than the one in which the claim was made. */
  record OtherHub(HubIdentity claimed, HubIdentity found) implements ClaimState {}

  /**
   * The hub refuses access. The credentials are deleted with the claim, so the claim may be gone,
   * or the credentials have expired.
   */
  record Barred() implements ClaimState {}
}
