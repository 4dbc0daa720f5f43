package dev.muster.multicluster.membership;

/** The next step of a membership. */
public sealed interface MembershipStep {
  /** Record the claim in the member before making it. */
  record WriteDown(Claim claim) implements MembershipStep {}

  /** Set the ID again with which the cluster is a member, and which it has lost. */
  record RestoreId(Claim claim) implements MembershipStep {}

  /** Create the claim in the hub; of several clusters, one gets the ID. */
  record Make(Claim claim) implements MembershipStep {}

  /** Set the property {@code clusterset.k8s.io} in the member. */
  record Mirror(Claim claim) implements MembershipStep {}

  /** Record in the hub that the member shows the membership. */
  record Confirm(Claim claim) implements MembershipStep {}

  /** End the membership in the hub; the ID stays taken while the member shows it. */
  record End(Claim claim) implements MembershipStep {}

  /** Remove the property {@code clusterset.k8s.io} from the member. */
  record RemoveMirror() implements MembershipStep {}

  /** Release the ID in the hub. */
  record Release(Claim claim) implements MembershipStep {}

  /** Remove the recorded claim. */
  record Forget() implements MembershipStep {}

  /** Nothing remains to be done. */
  record Done() implements MembershipStep {}

  /**
   * A user has to act.
   *
   * @param sentence the problem and the remedy
   */
  record Refuse(String sentence) implements MembershipStep {}
}
