package dev.muster.multicluster.membership;

/** What the hub says of a claim. */
public sealed interface ClaimState {
  /** Nobody has that ID in that set. */
  record Absent() implements ClaimState {}

  /** This cluster has. */
  record Ours(Phase phase) implements ClaimState {}

  /** Another cluster has. */
  record Theirs(String clusterUid) implements ClaimState {}

  /** The way to the hub leads to another one than that in which the claim was made. */
  record OtherHub(HubIdentity claimed, HubIdentity found) implements ClaimState {}

  /**
   * The hub does not let this cluster look. Its credentials belong to its claim, so the claim may
   * be gone; or they have expired.
   */
  record Barred() implements ClaimState {}
}
