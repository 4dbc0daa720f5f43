package dev.muster.multicluster.membership;

import dev.muster.controllers.client.RequestFailure;
import dev.muster.multicluster.rules.ClusterIdRules;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Joins, leaves and moves a cluster for a user with rights in the hub. After an interruption,
 * repeating the call, or the controller in the member, completes the operation. Not thread-safe.
 * Blocks the caller.
 */
public final class MembershipOperator {
  static final String SECRET_PREFIX = "clusterset-hub-";
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final int CONFLICT = 409;

  private final KubernetesClient member;
  private final KubernetesClient hub;
  private final MembershipRules rules;
  private final MembershipLock lock;
  private final Consumer<String> notices;
  private final MemberApi api;

  public MembershipOperator(KubernetesClient member, KubernetesClient hub, ClusterIdRules ids) {
    this(member, hub, ids, notice -> {});
  }

  /**
   * @param notices receives a sentence for the user when it has to wait
   */
  public MembershipOperator(
      KubernetesClient member, KubernetesClient hub, ClusterIdRules ids, Consumer<String> notices) {
    this.member = member;
    this.hub = hub;
    this.rules = new MembershipRules(ids);
    this.notices = notices;
    this.lock =
        new MembershipLock(
            member, LocalProcess.holder("operator"), "", Clock.systemUTC(), System::nanoTime);
    this.api = new MemberApi(member);
  }

  /**
   * Makes the cluster a member of a set; succeeds if it already is.
   *
   * @return the ID of the member
   * @throws RefusedByHub with the problem and the remedy; the cluster is then in no set
   */
  public String join(String clusterSet) {
    checkSet(clusterSet);
    ClusterSetDefinitions.await(member, ClusterSetDefinitions.OF_MEMBER);
    return locked(
        () -> {
          var present = api.found();
          var secret =
              present
                  .map(membership -> membership.getSpec().hubSecret())
                  .orElseGet(() -> secretName(clusterSet));
          present
              .map(ClusterSetMembership::getSpec)
              .filter(spec -> !spec.clusterSet().equals(clusterSet))
              .ifPresent(
                  spec -> {
                    throw new RefusedByHub(
                        "This cluster is or is to be a member of the ClusterSet \"%s\": use muster clusterset move %s."
                            .formatted(spec.clusterSet(), clusterSet));
                  });
          if (present.filter(ClusterSetMembership::isLeaving).isPresent()) {
            settle(secret);
          }
          if (api.found().isEmpty()) {
            member.resource(ClusterSetMembership.of(clusterSet, secret)).create();
          }
          return enter(clusterSet, secret, present.isEmpty());
        });
  }

  /**
   * Ends the cluster's membership.
   *
   * @return the set that it left; empty if it was in none
   */
  public Optional<String> leave() {
    ClusterSetDefinitions.await(member, ClusterSetDefinitions.OF_MEMBER);
    return locked(
        () -> {
          var present = api.found();
          if (present.isEmpty()) {
            return Optional.<String>empty();
          }
          var secret = present.get().getSpec().hubSecret();
          if (!present.get().isLeaving()) {
            checkLeave(secret);
          }
          member.resource(present.get()).delete();
          try {
            settle(secret);
          } catch (KubernetesClientException e) {
            throw e.getCode() == CONFLICT ? e : unfinished(e);
          }
          forgetSecret(secret);
          return Optional.of(present.get().getSpec().clusterSet());
        });
  }

  /**
   * Refuses a leave that cannot complete; otherwise the controller would continue it long after the
   * command has failed.
   */
  private void checkLeave(String secret) {
    try (var others = new HubClients(member)) {
      var leaving = new MembershipRun(rules, new LeavingMember(api), hubs(secret, others));
      if (leaving.preview() instanceof MembershipStep.Refuse refuse) {
        throw new RefusedByHub(refuse.sentence());
      }
    }
  }

  private static RefusedByHub unfinished(KubernetesClientException cause) {
    return new RefusedByHub(
        "The cluster is leaving, and has not left yet: %s The same command again, or the cluster's controller, finishes it."
            .formatted(RequestFailure.describe(cause)));
  }

  /** Leaves the current set, then joins another. */
  public String move(String clusterSet) {
    checkSet(clusterSet);
    ClusterSetDefinitions.await(member, ClusterSetDefinitions.OF_MEMBER);
    return locked(
        () -> {
          var present = api.found();
          if (present.isEmpty() || present.get().isLeaving()) {
            throw new RefusedByHub(
                "This cluster is in no ClusterSet: use muster clusterset join %s."
                    .formatted(clusterSet));
          }
          var before = present.get().getSpec().hubSecret();
          var secret = secretName(clusterSet);
          checkFree(clusterSet, secret);
          present.get().setSpec(new ClusterSetMembership.Spec(clusterSet, secret));
          member.resource(present.get()).update();
          var id = enter(clusterSet, secret, false);
          if (!before.equals(secret)) {
            forgetSecret(before);
          }
          return id;
        });
  }

  /** Checks that the other set accepts the cluster before leaving the current one. */
  private void checkFree(String clusterSet, String secret) {
    var wanted = new Claim(clusterSet, api.id().orElse(""), secret);
    if (!wanted.clusterId().isEmpty()
        && new HubApi(hub, uid()).check(wanted) instanceof ClaimState.Theirs theirs) {
      throw new RefusedByHub(
          "Another cluster (UID %s) is in the ClusterSet \"%s\" with the ID \"%s\": leave, choose another ID, and join."
              .formatted(theirs.clusterUid(), clusterSet, wanted.clusterId()));
    }
  }

  private void checkSet(String clusterSet) {
    ClusterSets.checkName(clusterSet);
    if (!RequestFailure.naming("the hub", hub, () -> new ClusterSets(hub).exists(clusterSet))) {
      throw new RefusedByHub(
          "The hub has no ClusterSet \"%s\": create it with muster clusterset create %1$s."
              .formatted(clusterSet));
    }
  }

  private String enter(String clusterSet, String secret, boolean undo) {
    try {
      settle(secret);
    } catch (RefusedByHub e) {
      if (undo) {
        api.found().ifPresent(membership -> member.resource(membership).delete());
        settle(secret);
      }
      throw e;
    }
    var claim = api.recorded().orElseThrow();
    if (secret.startsWith(SECRET_PREFIX)) {
      var claims =
          hub.resources(ClusterSetMember.class).inNamespace(ClusterSet.namespace(clusterSet));
      var kubeconfig =
          RequestFailure.naming(
              "the hub",
              hub,
              () -> HubCredentials.issue(hub, claims.withName(claim.clusterId()).get()));
      HubCredentials.store(member, secret, kubeconfig);
    }
    api.report(Phase.JOINED.text(), "");
    return claim.clusterId();
  }

  /** Reaches the desired state, with the operator's rights in the hub of the given Secret. */
  private void settle(String secret) {
    try (var others = new HubClients(member)) {
      if (new MembershipRun(rules, api, hubs(secret, others)).run()
          instanceof MembershipStep.Refuse refuse) {
        throw new RefusedByHub(refuse.sentence());
      }
      api.finish();
    }
  }

  /** Uses the operator's client for its own hub, and the Secrets for others. */
  private Function<String, Hub> hubs(String secret, HubClients others) {
    var uid = uid();
    var mine = new HubApi(hub, uid, new KnownIdentity(hub));
    return name -> name.equals(secret) || name.endsWith(hubSuffix()) ? mine : others.hub(name, uid);
  }

  private void forgetSecret(String secret) {
    if (secret.startsWith(SECRET_PREFIX)) {
      var _ =
          member.secrets().inNamespace(HubCredentials.SECRET_NAMESPACE).withName(secret).delete();
    }
  }

  /** Includes the hub, because sets of different hubs may have the same name. */
  private String secretName(String clusterSet) {
    return SECRET_PREFIX + clusterSet + hubSuffix();
  }

  private String hubSuffix() {
    try {
      var hash =
          MessageDigest.getInstance("SHA-256")
              .digest(hub.getMasterUrl().toString().getBytes(StandardCharsets.UTF_8));
      return "-" + HexFormat.of().formatHex(hash, 0, 4);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private String uid() {
    return clusterUid(member);
  }

  static String clusterUid(KubernetesClient member) {
    return member.namespaces().withName("kube-system").require().getMetadata().getUid();
  }

  /** Waits for the lock, and repeats the work after a conflict. */
  private <T> T locked(Supplier<T> work) {
    long endsAt = System.nanoTime() + PATIENCE.toNanos();
    boolean told = false;
    while (true) {
      try {
        var done = lock.with(() -> List.of(work.get()));
        if (done.isPresent()) {
          return done.get().getFirst();
        }
        if (!told && !lock.other().isEmpty()) {
          told = true;
          notices.accept(
              "Waiting for %s, which is changing this cluster's membership; if it is gone, this takes 15 s."
                  .formatted(lock.other()));
        }
      } catch (KubernetesClientException e) {
        if (e.getCode() != CONFLICT) {
          throw e;
        }
      }
      if (System.nanoTime() - endsAt > 0) {
        throw new RefusedByHub(
            "%s has been changing this cluster's membership for %d s: try again later."
                .formatted(
                    lock.other().isEmpty() ? "Another process" : lock.other(),
                    PATIENCE.toSeconds()));
      }
      try {
        Thread.sleep(PAUSE);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new RefusedByHub("Interrupted: the same command again finishes what was begun.");
      }
    }
  }
}
