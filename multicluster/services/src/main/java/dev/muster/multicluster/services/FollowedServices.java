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
 * Runs the multi-cluster services of a cluster in its current ClusterSet and under its current ID.
 * Both come from the cluster properties, and the hub has to confirm them. When the cluster leaves
 * the set or is removed from it, its exports and imports are deleted; when it joins another set,
 * its services follow. Thread-safe.
 */
public final class FollowedServices implements Controller {
  private static final Logger log = LoggerFactory.getLogger(FollowedServices.class);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

  /** The retry interval while possibly no watch reports that the type is served. */
  private static final Duration SOON = Duration.ofSeconds(5);

  /** How often the claim is read from the hub, which has many members. */
  private static final Duration NOW_AND_THEN = Duration.ofSeconds(30);

  private static final String ALL = "all";

  private final KubernetesClient hub;
  private final List<AddressRange> ranges;

  /**
   * @param ranges of service addresses, if no member has chosen them yet
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

  /** The cluster's ID and its ClusterSet. */
  private record Membership(String clusterSet, String cluster) {}

  /** The loop's only thread uses it, and it is closed after that thread has ended. */
  private final class Following {
    private final KubernetesClient member;
    private @Nullable Membership current;
    private @Nullable AutoCloseable running;

    /**
     * Whether the remains of a membership that ended while the controller did not run are removed.
     */
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
        // The definition of ClusterProperty is missing and will be restored; the cluster has not
        // left.
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

    /**
     * The hub decides: a cluster that was removed there exports nothing, whatever its properties
     * say.
     */
    private boolean isClaimed(Membership membership) {
      return claim(membership).isPresent();
    }

    /** Whether the claim in the hub is neither joining nor leaving. */
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
