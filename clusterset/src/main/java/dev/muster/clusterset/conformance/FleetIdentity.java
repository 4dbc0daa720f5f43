package dev.muster.clusterset.conformance;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
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
  static final String LABEL = "apiserver.kubernetes.io/identity";
  static final String LABEL_VALUE = "kube-apiserver";
  private static final int USUAL_INTERVAL = 10;

  /**
   * @param before the Lease as it was when we began to watch; empty when it was not there
   */
  static FleetIdentity of(Lease lease, Optional<Lease> before) {
    var metadata = lease.getMetadata();
    var labels = Objects.requireNonNullElse(metadata.getLabels(), Map.<String, String>of());
    var notes = Objects.requireNonNullElse(metadata.getAnnotations(), Map.<String, String>of());
    var spec = lease.getSpec();
    var holder = spec == null ? null : spec.getHolderIdentity();
    var seconds = spec == null ? null : spec.getLeaseDurationSeconds();
    var addresses = notes.getOrDefault("muster.dev/advertised-addresses", "");
    return new FleetIdentity(
        metadata.getNamespace(),
        metadata.getName(),
        holder == null ? "" : holder,
        labels.getOrDefault("kubernetes.io/hostname", ""),
        LABEL_VALUE.equals(labels.get(LABEL)),
        addresses.isEmpty() ? List.of() : List.of(addresses.split(",")),
        time(lease),
        seconds == null || seconds <= 0
            ? Optional.empty()
            : Optional.of(Duration.ofSeconds(seconds)),
        Duration.ofSeconds(interval(notes.getOrDefault("muster.dev/renew-interval-seconds", ""))),
        before.isEmpty() || !time(before.get()).equals(time(lease)));
  }

  private static Optional<Instant> time(Lease lease) {
    return lease.getSpec() == null || lease.getSpec().getRenewTime() == null
        ? Optional.empty()
        : Optional.of(lease.getSpec().getRenewTime().toInstant());
  }

  private static int interval(String text) {
    try {
      return Math.clamp(Integer.parseInt(text), 1, 300);
    } catch (NumberFormatException e) {
      return USUAL_INTERVAL;
    }
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
