package dev.muster.multicluster.membership;

/** The one thing to do next. */
public sealed interface MembershipStep {
  /** Write down in the member what the hub is going to be asked for. */
  record WriteDown(Claim claim) implements MembershipStep {}

  /** Give the cluster the ID again with which it is a member, and which it has lost. */
  record RestoreId(Claim claim) implements MembershipStep {}

  /** Ask the hub for the ID; of several clusters, one gets it. */
  record Make(Claim claim) implements MembershipStep {}

  /** Show the membership in the member. */
  record Mirror(Claim claim) implements MembershipStep {}

  /** Tell the hub that the member shows it. */
  record Confirm(Claim claim) implements MembershipStep {}

  /** End the membership in the hub; the ID stays taken until the member does not show it. */
  record End(Claim claim) implements MembershipStep {}

  /** Stop to show the membership in the member. */
  record RemoveMirror() implements MembershipStep {}

  /** Give the ID back to the hub. */
  record Release(Claim claim) implements MembershipStep {}

  /** Strike out what was written down. */
  record Forget() implements MembershipStep {}

  /** Nothing remains to be done. */
  record Done() implements MembershipStep {}

  /**
   * Nothing can be done until somebody changes something.
   *
   * @param sentence what is wrong, and what to do
   */
  record Refuse(String sentence) implements MembershipStep {}
}
