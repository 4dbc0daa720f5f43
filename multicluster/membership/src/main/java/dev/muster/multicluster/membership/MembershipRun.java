package dev.muster.multicluster.membership;

import java.util.function.Function;

/**
 * Runs the membership steps until the desired state is reached, reading the state before each. One
 * thread at a time uses it, and one process per cluster.
 *
 * @param hubs finds the hub by the name of its Secret
 */
public record MembershipRun(
    MembershipRules rules, MemberCluster member, Function<String, Hub> hubs) {
  /** More than two memberships and the steps between them need. */
  private static final int MOST_STEPS = 30;

  /** The final step: {@link MembershipStep.Done} or {@link MembershipStep.Refuse}. */
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

  /** The next step, without running it. */
  MembershipStep preview() {
    return rules.next(check());
  }

  /** Runs the next step only. */
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

  /** Adds the hub's identity to a claim that was recorded by a version without it. */
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
