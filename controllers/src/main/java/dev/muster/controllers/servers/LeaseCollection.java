package dev.muster.controllers.servers;

import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Guarded by its own lock. Decides which identity Leases are collected.
 *
 * <pre>
 * renewed in time        kept
 * expired                suspected; looked at again after each of three renewal intervals
 *   renewed meanwhile    kept: its server lives, whatever our clocks say
 *   no answer, or late   looked at three times more: it may not have been able to renew
 *   unchanged, expired   deleted, under the version that was seen
 *   renewed just then    kept: the API server refuses the deletion
 * </pre>
 *
 * A Lease that says it was renewed in the future is expired when it was seen unchanged for its
 * whole duration. That a living server's Lease looks expired is said once, not at every renewal.
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
  private final Set<String> misjudged = new HashSet<>();
  private final Set<String> watched = new HashSet<>();

  LeaseCollection(Leases leases, Later later, InstantSource clock, LongSupplier nanos) {
    this.leases = leases;
    this.later = later;
    this.clock = clock;
    this.nanos = nanos;
  }

  /** A Lease as it is now; called when it changes and at every resync. */
  synchronized void look(ServerLease lease) {
    var sight = sight(lease);
    if (!expired(lease, sight)) {
      if (misjudged.remove(lease.name())) {
        log.info("the lease of {} does not look expired any more", lease.holder());
      }
    } else if (!sight.suspected() && watched.add(lease.name())) {
      sights.put(lease.name(), new Sight(lease.uid(), lease.version(), sight.since(), true));
      watch(lease, 0);
    }
  }

  synchronized void forget(String name) {
    sights.remove(name);
    misjudged.remove(name);
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

  private void watch(ServerLease suspect, int looks) {
    long began = nanos.getAsLong();
    later.after(suspect.interval(), () -> confirm(suspect, looks, began));
  }

  /**
   * @param looks how often it was seen unchanged, an interval after the other
   * @param since when the interval began that is over now
   */
  private void confirm(ServerLease suspect, int looks, long since) {
    try {
      var lease = leases.get(suspect.name());
      boolean late = nanos.getAsLong() - since > 2 * suspect.interval().toNanos();
      if (lease == null) {
        endWatch(suspect);
        forget(suspect.name());
      } else if (!lease.uid().equals(suspect.uid()) || !lease.version().equals(suspect.version())) {
        endWatch(suspect);
        tellMisjudged(lease);
        look(lease);
      } else if (!stillExpired(lease)) {
        endWatch(suspect);
      } else if (late || looks + 1 < ServerLease.MISSED_RENEWALS) {
        watch(suspect, late ? 0 : looks + 1);
      } else {
        endWatch(suspect);
        collect(lease);
      }
    } catch (RuntimeException | Error e) {
      log.warn("the lease of {} cannot be collected now: {}", suspect.holder(), e.toString());
      watch(suspect, 0);
    }
  }

  private synchronized void endWatch(ServerLease suspect) {
    watched.remove(suspect.name());
  }

  private synchronized void tellMisjudged(ServerLease lease) {
    if (expired(lease, sight(lease)) && misjudged.add(lease.name())) {
      log.info(
          "the lease of {} looks expired, last renewed at {}, and is renewed: its clock or ours is"
              + " wrong",
          lease.holder(),
          lease.renewed());
    }
  }

  private void collect(ServerLease lease) {
    if (leases.delete(lease)) {
      log.info("collected the lease of {}, last renewed at {}", lease.holder(), lease.renewed());
    } else {
      log.info("the lease of {} was renewed or deleted just now", lease.holder());
    }
    forget(lease.name());
  }
}
