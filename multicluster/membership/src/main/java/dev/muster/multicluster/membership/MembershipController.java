package dev.muster.multicluster.membership;

import dev.muster.controllers.Controller;
import dev.muster.controllers.client.RequestFailure;
import dev.muster.controllers.loop.ControlLoop;
import dev.muster.multicluster.rules.ClusterIdRules;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the cluster join the ClusterSet that its ClusterSetMembership names and leave any other,
 * renews its heartbeat Lease in the hub, and renews its token. While the hub is unreachable,
 * nothing changes. Works on one virtual thread.
 */
public record MembershipController(ClusterIdRules ids, Clock clock) implements Controller {
  private static final Logger log = LoggerFactory.getLogger(MembershipController.class);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);
  private static final Duration SOON = Duration.ofSeconds(1);
  private static final String ALL = "all";
  private static final Pattern EXPIRY = Pattern.compile("\"exp\"\\s*:\\s*(\\d+)");

  @Override
  public String name() {
    return "clusterset-membership-controller";
  }

  @Override
  public AutoCloseable start(KubernetesClient client) {
    try {
      var _ = ClusterSetDefinitions.OF_MEMBER.ensure(client);
    } catch (KubernetesClientException e) {
      log.info("the definition of memberships comes later: {}", e.getMessage());
    }
    var hubs = new HubClients(client);
    // Only one controller is active, so a lock of another controller belongs to one that has ended.
    var lock =
        new MembershipLock(
            client, name() + "-" + UUID.randomUUID(), name() + "-", clock, System::nanoTime);
    var loop =
        ControlLoop.<String>startTimed(
            name(), 1, LONGEST_PAUSE, key -> Optional.of(check(client, hubs, lock)));
    loop.follow(client.resources(ClusterSetMembership.class), membership -> Optional.of(ALL));
    loop.add(ALL);
    return () -> {
      loop.close();
      hubs.close();
    };
  }

  private Duration check(KubernetesClient client, HubClients hubs, MembershipLock lock) {
    var api = new MemberApi(client);
    if (api.found().isEmpty()) {
      var _ = ClusterSetDefinitions.OF_MEMBER.ensure(client);
      return MemberLease.RENEWAL;
    }
    var uid = MembershipOperator.clusterUid(client);
    var membership =
        new MembershipRun(new MembershipRules(ids), api, secret -> hubs.hub(secret, uid));
    try {
      var ended = lock.with(membership::run);
      if (ended.isEmpty()) {
        return SOON;
      }
      if (ended.get() instanceof MembershipStep.Refuse refuse) {
        return refused(api, refuse.sentence());
      }
    } catch (RefusedByHub e) {
      return refused(api, e.sentence());
    } catch (KubernetesClientException e) {
      if (e.getCode() == 409) {
        return SOON;
      }
      return refused(
          api,
          "The hub does not answer, and everything stays as it is: " + RequestFailure.describe(e));
    }
    api.finish();
    api.recorded().ifPresent(claim -> live(client, hubs, api, claim));
    return MemberLease.RENEWAL;
  }

  private static Duration refused(MemberApi api, String sentence) {
    log.warn("{}", sentence);
    api.report(api.mirror().isPresent() ? Phase.JOINED.text() : "Refused", sentence);
    return LONGEST_PAUSE;
  }

  private void live(KubernetesClient client, HubClients hubs, MemberApi api, Claim claim) {
    var hub = hubs.of(claim.hubSecret());
    try {
      MemberLease.renew(hub, claim, clock.instant());
      api.report(Phase.JOINED.text(), "");
      renewToken(client, hub, claim);
    } catch (KubernetesClientException e) {
      api.report(
          Phase.JOINED.text(), "No sign of life reaches the hub: " + RequestFailure.describe(e));
    }
  }

  /** Renews only tokens that Muster issued, not those that a user stored in the Secret. */
  private void renewToken(KubernetesClient client, KubernetesClient hub, Claim claim) {
    var token = hub.getConfiguration().getOauthToken();
    if (token == null || !claim.hubSecret().startsWith(MembershipOperator.SECRET_PREFIX)) {
      return;
    }
    var renewal = expiry(token).map(end -> end.minus(HubCredentials.TOKEN_LIFE.dividedBy(2)));
    if (renewal.isPresent() && renewal.get().isBefore(clock.instant())) {
      HubCredentials.store(
          client,
          claim.hubSecret(),
          HubCredentials.kubeconfig(
              hub, ClusterSet.namespace(claim.clusterSet()), claim.clusterId()));
      log.info("The token for the hub of {} was renewed", claim.clusterSet());
    }
  }

  /** The expiry in a token, if any. */
  static Optional<Instant> expiry(String token) {
    var parts = token.split("\\.");
    if (parts.length != 3) {
      return Optional.empty();
    }
    try {
      var found =
          EXPIRY.matcher(
              new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8));
      return found.find()
          ? Optional.of(Instant.ofEpochSecond(Long.parseLong(found.group(1))))
          : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
