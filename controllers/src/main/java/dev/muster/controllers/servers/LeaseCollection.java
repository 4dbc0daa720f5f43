package dev.muster.controllers.servers;

import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Guarded by its own lock. Decides which identity Leases are collected.
 *
 * <pre>
 * renewed in time        kept
 * expired                suspected; looked at again after three renewal intervals
 *   renewed meanwhile    kept: its server lives, whatever our clocks say
 *   unchanged, expired   deleted, under the version that was seen
 *   renewed just then    kept: the API server refuses the deletion
 * </pre>
 *
 * A Lease that says it was renewed in the future is expired when it was seen unchanged for its
 * whole duration.
 */
final class LeaseCollection {
  private static final Logger log = LoggerFactory.getLogger(LeaseCollection.class);

  /** The Leases as an API server has them. */
  interface Leases {
    @Nullable ServerLease get(String name);

    /** Deletes that very version; false when it has changed since or is gone. */
    boolean delete(ServerLease lease);
  }

  /** Does something later. */
  interface Later {
    void after(Duration time, Runnable task);
  }

  /** Since when a version of a Lease is known, by a clock that never jumps. */
  private record Sight(String uid, String version, long since, boolean suspected) {}

  private final Leases leases;
  private final Later later;
  private final InstantSource clock;
  private final LongSupplier nanos;
  private final Map<String, Sight> sights = new HashMap<>();

  LeaseCollection(Leases leases, Later later, InstantSource clock, LongSupplier nanos) {
    this.leases = leases;
    this.later = later;
    this.clock = clock;
    this.nanos = nanos;
  }

  /** A Lease as it is now; called when it changes and at every resync. */
  synchronized void look(ServerLease lease) {
    var sight = sight(lease);
    if (!sight.suspected() && expired(lease, sight)) {
      log.info("the lease of {} has expired, last renewed at {}", lease.holder(), lease.renewed());
      sights.put(lease.name(), new Sight(lease.uid(), lease.version(), sight.since(), true));
      later.after(lease.grace(), () -> confirm(lease));
    }
  }

  synchronized void forget(String name) {
    sights.remove(name);
  }

  private Sight sight(ServerLease lease) {
    var known = sights.get(lease.name());
    if (known == null
        || !known.uid().equals(lease.uid())
        || !known.version().equals(lease.version())) {
      known = new Sight(lease.uid(), lease.version(), nanos.getAsLong(), false);
      sights.put(lease.name(), known);
    }
    return known;
  }

  private boolean expired(ServerLease lease, Sight sight) {
    var duration = lease.duration();
    return lease.expired(clock.instant())
        || (duration != null && nanos.getAsLong() - sight.since() > duration.toNanos());
  }

  /** Our clock may have been set right meanwhile. */
  private synchronized boolean stillExpired(ServerLease lease) {
    var sight = sight(lease);
    if (expired(lease, sight)) {
      return true;
    }
    sights.put(lease.name(), new Sight(lease.uid(), lease.version(), sight.since(), false));
    return false;
  }

  private void confirm(ServerLease suspect) {
    try {
      var lease = leases.get(suspect.name());
      if (lease == null) {
        forget(suspect.name());
        return;
      }
      if (!lease.uid().equals(suspect.uid()) || !lease.version().equals(suspect.version())) {
        log.info("{} has renewed its lease and lives", lease.holder());
        look(lease);
        return;
      }
      if (!stillExpired(lease)) {
        return;
      }
      if (leases.delete(lease)) {
        log.info("collected the lease of {}, last renewed at {}", lease.holder(), lease.renewed());
      } else {
        log.info("the lease of {} was renewed or deleted just now", lease.holder());
      }
      forget(suspect.name());
    } catch (RuntimeException e) {
      log.warn("the lease of {} cannot be collected now: {}", suspect.holder(), e.toString());
      later.after(suspect.grace(), () -> confirm(suspect));
    }
  }
}
