package dev.muster.clusterset.membership;

/** The one thing to do next. */
public sealed interface Step {
  /** Write down in the member what the hub is going to be asked for. */
  record WriteDown(Claim claim) implements Step {}

  /** Ask the hub for the ID; of several clusters, one gets it. */
  record Make(Claim claim) implements Step {}

  /** Show the membership in the member. */
  record Mirror(Claim claim) implements Step {}

  /** Tell the hub that the member shows it. */
  record Confirm(Claim claim) implements Step {}

  /** End the membership in the hub; the ID stays taken until the member does not show it. */
  record End(Claim claim) implements Step {}

  /** Stop to show the membership in the member. */
  record RemoveMirror() implements Step {}

  /** Give the ID back to the hub. */
  record Release(Claim claim) implements Step {}

  /** Strike out what was written down. */
  record Forget() implements Step {}

  /** Nothing remains to be done. */
  record Done() implements Step {}

  /**
   * Nothing can be done until somebody changes something.
   *
   * @param sentence what is wrong, and what to do
   */
  record Refuse(String sentence) implements Step {}
}
