package dev.muster.multicluster.membership;

import dev.muster.multicluster.rules.ClusterIdRules;
import dev.muster.multicluster.rules.PropertyVerdict;
import dev.muster.multicluster.rules.WellKnownProperties;
import java.util.Optional;

/**
 * Decides the next step of joining, leaving or moving, from the observed state alone. After a crash
 * between two steps, another process continues from what it observes.
 *
 * <pre>
 * join:   WriteDown → Make → Mirror → Confirm
 * repair: RestoreId → Mirror
 * leave:  End → RemoveMirror → Release → Forget
 * move:   leave, then join
 * </pre>
 *
 * <p>While a cluster shows a membership, the hub holds its claim to the ID: the claim is made
 * before and released after. A set therefore never has two members with one ID. There is one mirror
 * and one recorded claim per cluster, so a cluster is never in two sets.
 *
 * @param ids the rules for cluster IDs
 */
public record MembershipRules(ClusterIdRules ids) {
  public MembershipStep next(MembershipState now) {
    if (now.recorded().isEmpty()) {
      return begin(now);
    }
    var claim = now.recorded().get();
    if (now.state() instanceof ClaimState.OtherHub other) {
      return otherHub(claim, other);
    }
    boolean shown = now.mirror().isPresent();
    boolean ours = shown && now.mirror().get().equals(claim.clusterSet());
    if (isDamaged(now, claim)) {
      return new MembershipStep.RestoreId(claim);
    }
    if (!isWanted(now, claim, ours)) {
      return leave(now.state(), claim, ours);
    }
    if (shown && !ours) {
      return foreign(now.mirror().get());
    }
    if (ours && !now.id().equals(Optional.of(claim.clusterId()))) {
      return new MembershipStep.Refuse(
          "The cluster ID is not \"%s\", with which this cluster is a member of the ClusterSet \"%s\": set the ClusterProperty %s back to it."
              .formatted(claim.clusterId(), claim.clusterSet(), WellKnownProperties.CLUSTER_ID));
    }
    return ours ? stay(now.state(), claim) : join(now.state(), claim);
  }

  private static MembershipStep otherHub(Claim claim, ClaimState.OtherHub other) {
    return new MembershipStep.Refuse(
        "This cluster's claim in the ClusterSet \"%s\" is in the hub %s, and the hub that was reached is another, %s: use the kubeconfig of the first one, with which the cluster can also leave or move."
            .formatted(claim.clusterSet(), other.claimed(), other.found()));
  }

  /**
   * A member loses its ID only with the definition of ClusterProperty. While the hub holds the
   * claim, the cluster is a member, whatever its properties say.
   */
  private static boolean isDamaged(MembershipState now, Claim claim) {
    return now.id().isEmpty()
        && isTarget(now, claim)
        && now.state() instanceof ClaimState.Ours(Phase phase)
        && phase == Phase.JOINED;
  }

  private static boolean isTarget(MembershipState now, Claim claim) {
    return now.wanted()
        .filter(
            target ->
                target.clusterSet().equals(claim.clusterSet())
                    && target.hubSecret().equals(claim.hubSecret()))
        .isPresent();
  }

  /** If the ID changes before the cluster is a member, another claim is needed. */
  private static boolean isWanted(MembershipState now, Claim claim, boolean ours) {
    return isTarget(now, claim) && (ours || now.id().filter(claim.clusterId()::equals).isPresent());
  }

  private MembershipStep begin(MembershipState now) {
    if (now.wanted().isEmpty()) {
      return new MembershipStep.Done();
    }
    if (now.mirror().isPresent()) {
      return foreign(now.mirror().get());
    }
    if (now.id().isEmpty()) {
      return new MembershipStep.Refuse(
          "This cluster has no ID and so cannot join a ClusterSet: create the ClusterProperty %s first."
              .formatted(WellKnownProperties.CLUSTER_ID));
    }
    if (ids.evaluate(now.id().get()) instanceof PropertyVerdict.Refused refused) {
      return new MembershipStep.Refuse(refused.sentence());
    }
    var target = now.wanted().get();
    return new MembershipStep.WriteDown(
        new Claim(target.clusterSet(), now.id().get(), target.hubSecret()));
  }

  private static MembershipStep foreign(String mirror) {
    return new MembershipStep.Refuse(
        "The ClusterProperty %s says \"%s\" and is not kept by Muster: leave that ClusterSet, or delete the property if the cluster is in none."
            .formatted(WellKnownProperties.CLUSTER_SET, mirror));
  }

  private static MembershipStep join(ClaimState state, Claim claim) {
    return switch (state) {
      case ClaimState.Absent absent -> new MembershipStep.Make(claim);
      case ClaimState.Barred barred -> barred(claim);
      case ClaimState.OtherHub other -> otherHub(claim, other);
      case ClaimState.Theirs theirs ->
          new MembershipStep.Refuse(
              "Another cluster (UID %s) is in the ClusterSet \"%s\" with the ID \"%s\": give this cluster another ID by the ClusterProperty %s, or take the other out."
                  .formatted(
                      theirs.clusterUid(),
                      claim.clusterSet(),
                      claim.clusterId(),
                      WellKnownProperties.CLUSTER_ID));
      case ClaimState.Ours(Phase phase) ->
          phase == Phase.LEAVING
              ? new MembershipStep.Release(claim)
              : new MembershipStep.Mirror(claim);
    };
  }

  /** If the claim is gone, it was removed in the hub, which decides. */
  private static MembershipStep stay(ClaimState state, Claim claim) {
    return switch (state) {
      case ClaimState.Absent absent -> new MembershipStep.RemoveMirror();
      case ClaimState.Barred barred -> barred(claim);
      case ClaimState.OtherHub other -> otherHub(claim, other);
      case ClaimState.Theirs theirs -> new MembershipStep.RemoveMirror();
      case ClaimState.Ours(Phase phase) ->
          switch (phase) {
            case JOINING -> new MembershipStep.Confirm(claim);
            case JOINED -> new MembershipStep.Done();
            case LEAVING -> new MembershipStep.RemoveMirror();
          };
    };
  }

  private static MembershipStep leave(ClaimState state, Claim claim, boolean ours) {
    return switch (state) {
      case ClaimState.Ours(Phase phase) -> {
        if (ours) {
          yield phase == Phase.LEAVING
              ? new MembershipStep.RemoveMirror()
              : new MembershipStep.End(claim);
        }
        yield new MembershipStep.Release(claim);
      }
      case ClaimState.Absent absent ->
          ours ? new MembershipStep.RemoveMirror() : new MembershipStep.Forget();
      case ClaimState.Theirs theirs ->
          ours ? new MembershipStep.RemoveMirror() : new MembershipStep.Forget();
      case ClaimState.Barred barred -> ours ? barred(claim) : new MembershipStep.Forget();
      case ClaimState.OtherHub other -> otherHub(claim, other);
    };
  }

  /** The mirror stays: no other cluster may get the ID while this cluster shows it. */
  private static MembershipStep barred(Claim claim) {
    return new MembershipStep.Refuse(
        "The hub of the ClusterSet \"%s\" does not accept this cluster's credentials: use muster clusterset join or leave, with a --hub-kubeconfig that it accepts."
            .formatted(claim.clusterSet()));
  }
}
