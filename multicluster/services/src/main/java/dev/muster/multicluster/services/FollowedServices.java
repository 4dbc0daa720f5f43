package dev.muster.multicluster.services;

import dev.muster.controllers.Controller;
import dev.muster.controllers.client.RequestFailure;
import dev.muster.controllers.loop.ControlLoop;
import dev.muster.multicluster.identity.ClusterProperties;
import dev.muster.multicluster.identity.ClusterProperty;
import dev.muster.multicluster.membership.ClusterSetMember;
import dev.muster.multicluster.membership.Phase;
import dev.muster.multicluster.rules.WellKnownProperties;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Safe for any thread. The services of a cluster in whatever ClusterSet it is, under whatever ID it
 * has there: both are read from its properties, and the hub has to confirm them. When it leaves the
 * set or is taken out, what it exported and imported goes; when it joins another, its services
 * follow.
 */
public final class FollowedServices implements Controller {
  private static final Logger log = LoggerFactory.getLogger(FollowedServices.class);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

  /** There may be no watch yet that tells that the type is served. */
  private static final Duration SOON = Duration.ofSeconds(5);

  /** How often the hub is asked for the claim: it has many members. */
  private static final Duration NOW_AND_THEN = Duration.ofSeconds(30);

  private static final String ALL = "all";

  private final KubernetesClient hub;
  private final List<AddressRange> ranges;

  /**
   * @param ranges of addresses for services, if no member has chosen them yet
   */
  public FollowedServices(KubernetesClient hub, List<AddressRange> ranges) {
    this.hub = hub;
    this.ranges = List.copyOf(ranges);
  }

  @Override
  public String name() {
    return "multicluster-services";
  }

  @Override
  public AutoCloseable start(KubernetesClient member) {
    var following = new Following(member);
    var loop = ControlLoop.<String>startTimed(name(), 1, LONGEST_PAUSE, key -> following.check());
    loop.follow(
        new ClusterProperties(member).resources(),
        property -> isOfInterest(property) ? Optional.of(ALL) : Optional.empty());
    loop.add(ALL);
    return () -> {
      loop.close();
      following.close();
    };
  }

  private static boolean isOfInterest(ClusterProperty property) {
    return WellKnownProperties.includes(property.getMetadata().getName());
  }

  /** Which cluster it is, in which set. */
  private record Membership(String clusterSet, String cluster) {}

  /** Used by the loop's one thread, and closed when that has ended. */
  private final class Following {
    private final KubernetesClient member;
    private @Nullable Membership current;
    private @Nullable AutoCloseable running;

    /** Whether nothing is left of a membership that ended while nobody followed it. */
    private boolean cleared;

    Following(KubernetesClient member) {
      this.member = member;
    }

    Optional<Duration> check() {
      var properties = new ClusterProperties(member);
      var set = properties.clusterSet();
      var id = properties.clusterId();
      var before = current;
      if (before != null && set.isEmpty() && id.isEmpty() && isJoined(before)) {
        // The definition of ClusterProperty is gone and comes back; the cluster has not left.
        return Optional.of(SOON);
      }
      var wanted =
          set.flatMap(it -> id.map(own -> new Membership(it, own))).filter(this::isClaimed);
      if (before == null && wanted.isEmpty() && !cleared) {
        new ServiceImports(new HttpApiObjects(member), Clock.systemUTC()).remove();
        cleared = true;
      }
      if (before != null && !wanted.equals(Optional.of(before))) {
        close();
        services(before).leave(member);
        current = null;
        log.info("The cluster is {} of {} no more", before.cluster(), before.clusterSet());
      }
      if (running == null && wanted.isPresent()) {
        cleared = false;
        current = wanted.get();
        running = services(wanted.get()).start(member);
        log.info("The cluster is {} of {}", wanted.get().cluster(), wanted.get().clusterSet());
      }
      return Optional.of(running == null ? SOON : NOW_AND_THEN);
    }

    /** The hub decides: who was taken out there exports nothing, whatever its properties say. */
    private boolean isClaimed(Membership membership) {
      return claim(membership).isPresent();
    }

    /** Whether the hub has been told neither that the cluster joins nor that it leaves. */
    private boolean isJoined(Membership membership) {
      return claim(membership).filter(claim -> claim.phase() == Phase.JOINED).isPresent();
    }

    private Optional<ClusterSetMember> claim(Membership membership) {
      var system = member.namespaces().withName("kube-system").get();
      var claims =
          hub.resources(ClusterSetMember.class)
              .inNamespace(ServiceHub.namespaceOf(membership.clusterSet()));
      return Optional.ofNullable(
              RequestFailure.naming(
                  "the hub", hub, () -> claims.withName(membership.cluster()).get()))
          .filter(
              claim -> system != null && claim.clusterUid().equals(system.getMetadata().getUid()));
    }

    private MemberServices services(Membership membership) {
      return new MemberServices(hub, membership.clusterSet(), membership.cluster(), ranges);
    }

    void close() {
      var open = running;
      running = null;
      if (open != null) {
        try {
          open.close();
        } catch (Exception e) {
          throw new IllegalStateException(e);
        }
      }
    }
  }
}
