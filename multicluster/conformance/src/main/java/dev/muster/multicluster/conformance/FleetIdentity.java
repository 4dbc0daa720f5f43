package dev.muster.multicluster.conformance;

import dev.muster.controllers.client.JsonTrees;
import dev.muster.model.identity.IdentityLease;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What the Lease of one API server says.
 *
 * @param labelled whether it is marked as the identity of a kube-apiserver
 * @param addresses where its server says that it is reached, with ports; empty when it does not
 * @param interval how often it is renewed
 * @param renewed whether it was, while we watched
 */
record FleetIdentity(
    String namespace,
    String name,
    String id,
    String hostname,
    boolean labelled,
    List<String> addresses,
    Optional<Instant> renewTime,
    Optional<Duration> duration,
    Duration interval,
    boolean renewed) {
  static final String LABEL = IdentityLease.LABEL;
  static final String LABEL_VALUE = IdentityLease.LABEL_VALUE;
  private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

  /**
   * @param before the Lease as it was when we began to watch; empty when it was not there
   */
  static FleetIdentity of(Lease lease, Optional<Lease> before) {
    var read = read(lease);
    return new FleetIdentity(
        read.namespace(),
        read.name(),
        read.holder(),
        read.hostname(),
        read.labelled(),
        read.addresses(),
        Optional.ofNullable(read.renewed()),
        Optional.ofNullable(read.duration()),
        read.interval(),
        before.isEmpty() || !Objects.equals(read(before.get()).renewed(), read.renewed()));
  }

  @SuppressWarnings("unchecked")
  private static IdentityLease read(Lease lease) {
    return IdentityLease.read(
        JsonTrees.object((Map<String, Object>) SERIALIZATION.convertValue(lease, Map.class)));
  }

  /**
   * Whether its server lives: it has renewed the Lease while we watched. Where we have not watched
   * for two renewals, a Lease counts that was renewed within three, by the clock of the fleet.
   */
  boolean lives(Duration watched, Instant fleetNow) {
    if (renewed || watched.compareTo(interval.multipliedBy(2)) >= 0) {
      return renewed;
    }
    return renewTime
        .filter(
            time -> Duration.between(time, fleetNow).abs().compareTo(interval.multipliedBy(3)) < 0)
        .isPresent();
  }

  /** Whether it was not renewed for its whole duration by then. */
  boolean hasExpired(Instant now) {
    return renewTime.isEmpty()
        || duration.isEmpty()
        || renewTime.get().plus(duration.get()).isBefore(now);
  }

  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
