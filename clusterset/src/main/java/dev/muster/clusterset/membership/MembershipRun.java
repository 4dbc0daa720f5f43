package dev.muster.clusterset.membership;

import java.util.function.Function;

/**
 * Used by one thread at a time, and by one process for a cluster at a time. Goes step by step to
 * what is wanted, looking again before each.
 *
 * @param hubs the hub to which the Secret of that name leads
 */
public record MembershipRun(
    MembershipRules rules, MemberCluster member, Function<String, Hub> hubs) {
  /** Two memberships and what may come between them take fewer. */
  private static final int MOST_STEPS = 30;

  /** How it ended: {@link MembershipStep.Done} or {@link MembershipStep.Refuse}. */
  public MembershipStep run() {
    for (int i = 0; i < MOST_STEPS; i++) {
      var step = rules.next(look());
      if (step instanceof MembershipStep.Done || step instanceof MembershipStep.Refuse) {
        return step;
      }
      act(step);
    }
    return new MembershipStep.Refuse(
        "The membership changes under the hand of somebody else: look who else changes it, and try"
            + " again.");
  }

  /** The next step alone. */
  public MembershipStep step() {
    var step = rules.next(look());
    act(step);
    return step;
  }

  private MembershipState look() {
    var recorded = member.recorded();
    return new MembershipState(
        member.wanted(),
        member.id(),
        member.mirror(),
        recorded,
        recorded
            .map(claim -> hubs.apply(claim.hubSecret()).look(claim))
            .orElseGet(ClaimState.Absent::new));
  }

  private void act(MembershipStep step) {
    switch (step) {
      case MembershipStep.WriteDown(Claim claim) -> member.record(claim);
      case MembershipStep.Make(Claim claim) -> hubs.apply(claim.hubSecret()).make(claim);
      case MembershipStep.Mirror(Claim claim) -> member.mirror(claim);
      case MembershipStep.Confirm(Claim claim) ->
          hubs.apply(claim.hubSecret()).mark(claim, Phase.JOINED);
      case MembershipStep.End(Claim claim) ->
          hubs.apply(claim.hubSecret()).mark(claim, Phase.LEAVING);
      case MembershipStep.RemoveMirror() -> member.removeMirror();
      case MembershipStep.Release(Claim claim) -> hubs.apply(claim.hubSecret()).release(claim);
      case MembershipStep.Forget() -> member.forget();
      case MembershipStep.Done() -> {}
      case MembershipStep.Refuse(String sentence) -> {}
    }
  }
}
