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
 * The content of one API server's identity Lease.
 *
 * @param labelled whether it has the identity label of a kube-apiserver
 * @param addresses the published addresses of its server, with ports; empty when there are none
 * @param interval the renewal interval
 * @param renewed whether it was renewed during the observation
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
   * @param before the Lease at the start of the observation; empty when it did not exist
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
   * Whether its server is alive: it renewed the Lease during the observation. If the observation
   * was shorter than two renewals, a Lease renewed within the last three counts, by the fleet's
   * clock.
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

  /** Whether its duration had passed without renewal by then. */
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
