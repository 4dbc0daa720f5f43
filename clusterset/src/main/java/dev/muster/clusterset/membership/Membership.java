package dev.muster.clusterset.membership;

import java.util.function.Function;

/**
 * Used by one thread at a time, and by one process for a cluster at a time. Goes step by step to
 * what is wanted, looking again before each.
 *
 * @param hubs the hub to which the Secret of that name leads
 */
public record Membership(MembershipRules rules, Member member, Function<String, Hub> hubs) {
  /** Two memberships and what may come between them take fewer. */
  private static final int MOST_STEPS = 30;

  /** How it ended: {@link Step.Done} or {@link Step.Refuse}. */
  public Step run() {
    for (int i = 0; i < MOST_STEPS; i++) {
      var step = rules.next(look());
      if (step instanceof Step.Done || step instanceof Step.Refuse) {
        return step;
      }
      act(step);
    }
    return new Step.Refuse(
        "The membership changes under the hand of somebody else: look who else changes it, and try"
            + " again.");
  }

  /** The next step alone. */
  public Step step() {
    var step = rules.next(look());
    act(step);
    return step;
  }

  private Situation look() {
    var recorded = member.recorded();
    return new Situation(
        member.wanted(),
        member.id(),
        member.mirror(),
        recorded,
        recorded
            .map(claim -> hubs.apply(claim.hubSecret()).look(claim))
            .orElseGet(ClaimState.Absent::new));
  }

  private void act(Step step) {
    switch (step) {
      case Step.WriteDown(Claim claim) -> member.record(claim);
      case Step.Make(Claim claim) -> hubs.apply(claim.hubSecret()).make(claim);
      case Step.Mirror(Claim claim) -> member.mirror(claim);
      case Step.Confirm(Claim claim) -> hubs.apply(claim.hubSecret()).mark(claim, Phase.JOINED);
      case Step.End(Claim claim) -> hubs.apply(claim.hubSecret()).mark(claim, Phase.LEAVING);
      case Step.RemoveMirror() -> member.removeMirror();
      case Step.Release(Claim claim) -> hubs.apply(claim.hubSecret()).release(claim);
      case Step.Forget() -> member.forget();
      case Step.Done() -> {}
      case Step.Refuse(String sentence) -> {}
    }
  }
}
