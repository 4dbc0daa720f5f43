package dev.muster.multicluster.membership;

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
      var now = check();
      var step = rules.next(now);
      if (step instanceof MembershipStep.Done) {
        nameHub(now);
      }
      if (step instanceof MembershipStep.Done || step instanceof MembershipStep.Refuse) {
        return step;
      }
      act(step);
    }
    return new MembershipStep.Refuse(
        "The membership changes under the hand of somebody else: look who else changes it, and try"
            + " again.");
  }

  /** What the next step would be. */
  MembershipStep preview() {
    return rules.next(check());
  }

  /** The next step alone. */
  public MembershipStep step() {
    var step = rules.next(check());
    act(step);
    return step;
  }

  private MembershipState check() {
    var recorded = member.recorded();
    return new MembershipState(
        member.wanted(),
        member.id(),
        member.mirror(),
        recorded,
        recorded.map(this::check).orElseGet(ClaimState.Absent::new));
  }

  private ClaimState check(Claim claim) {
    var hub = hubs.apply(claim.hubSecret());
    var claimed = claim.hub();
    if (claimed != null) {
      var found = hub.identity();
      if (found.isPresent() && !found.get().isSame(claimed)) {
        return new ClaimState.OtherHub(claimed, found.get());
      }
    }
    return hub.check(claim);
  }

  /** A claim that was written down when hubs were not asked for their identity gets it now. */
  private void nameHub(MembershipState now) {
    if (now.recorded().isPresent()
        && now.recorded().get().hub() == null
        && now.state() instanceof ClaimState.Ours) {
      var claim = now.recorded().get();
      var found = hubs.apply(claim.hubSecret()).identity();
      if (found.isPresent()) {
        member.record(claim.at(found));
      }
    }
  }

  private void act(MembershipStep step) {
    switch (step) {
      case MembershipStep.WriteDown(Claim claim) ->
          member.record(claim.at(hubs.apply(claim.hubSecret()).identity()));
      case MembershipStep.RestoreId(Claim claim) -> member.restoreId(claim);
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
