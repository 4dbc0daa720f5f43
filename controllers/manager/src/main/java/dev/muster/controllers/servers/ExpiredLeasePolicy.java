package dev.muster.controllers.servers;

import dev.muster.model.identity.IdentityLease;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides which identity Leases to delete: those that this process observed unchanged for their
 * whole duration, on a monotonic clock. The times in a Lease are ignored, because the clock that
 * wrote them, or the collector's own, may be wrong. Thread-safe, guarded by its own lock.
 *
 * <pre>
 * new version                     the silence starts again
 * unchanged at a timely check     the time since the former check counts
 * failed or late check            that time does not count: the server may be unable to renew
 * silent for the whole duration   deleted, with the observed version as precondition
 * renewed at that moment          kept: the API server refuses the deletion
 * </pre>
 */
final class ExpiredLeasePolicy {
  private static final Logger log = LoggerFactory.getLogger(ExpiredLeasePolicy.class);

  /** The duration of a Lease that states none: the default of API servers. */
  private static final Duration USUAL_DURATION = Duration.ofHours(1);

  /**
   * The number of checks of a silent Lease during its duration, unless it is renewed more rarely.
   */
  private static final int LOOKS = 120;

  /** The number of consecutive unchanged checks that must precede a deletion. */
  private static final int LAST_LOOKS = 3;

  /** The Leases in the API server. */
  interface Leases {
    @Nullable IdentityLease get(String name);

    /** Deletes exactly that version; returns false when the Lease has changed or is gone. */
    boolean delete(IdentityLease lease);
  }

  /** Runs an action later. */
  interface Later {
    void after(Duration time, Runnable task);
  }

  /**
   * The observation of one version of a Lease.
   *
   * @param seen when it was last checked, on the monotonic clock
   * @param silence how long it was observed unchanged
   * @param looks the number of consecutive timely checks that found it unchanged
   */
  private record Sight(IdentityLease lease, long seen, Duration silence, int looks) {
    static Sight first(IdentityLease lease, long now) {
      return new Sight(lease, now, Duration.ZERO, 0);
    }

    boolean isOf(IdentityLease other) {
      return lease.uid().equals(other.uid()) && lease.version().equals(other.version());
    }

    Sight again(long now) {
      var passed = Duration.ofNanos(now - seen);
      boolean late = passed.compareTo(step(lease).multipliedBy(2)) > 0;
      return late ? missed(now) : new Sight(lease, now, silence.plus(passed), looks + 1);
    }

    Sight missed(long now) {
      return new Sight(lease, now, silence, 0);
    }

    boolean isOver() {
      return looks >= LAST_LOOKS && silence.compareTo(duration(lease)) >= 0;
    }
  }

  private final Leases leases;
  private final Later later;
  private final LongSupplier nanos;
  private final Map<String, Sight> sights = new HashMap<>();
  private final Set<String> watched = new HashSet<>();

  ExpiredLeasePolicy(Leases leases, Later later, LongSupplier nanos) {
    this.leases = leases;
    this.later = later;
    this.nanos = nanos;
  }

  private static Duration duration(IdentityLease lease) {
    return lease.duration() == null ? USUAL_DURATION : lease.duration();
  }

  /** The time between two checks, in which a live server renews its Lease. */
  private static Duration step(IdentityLease lease) {
    var part = duration(lease).dividedBy(LOOKS);
    return part.compareTo(lease.grace()) > 0 ? part : lease.grace();
  }

  /** Records the current Lease; called for changes and at every resync. */
  synchronized void check(IdentityLease lease) {
    var known = sights.get(lease.name());
    if (known == null || !known.isOf(lease)) {
      sights.put(lease.name(), Sight.first(lease, nanos.getAsLong()));
    }
    if (watched.add(lease.name())) {
      later.after(step(lease), () -> lookAgain(lease.name()));
    }
  }

  synchronized void forget(String name) {
    sights.remove(name);
  }

  /** Reads the Lease only if no event arrived since the last check. */
  private void lookAgain(String name) {
    var sight = silent(name);
    if (sight != null) {
      try {
        heard(name, leases.get(name));
        collect(name);
      } catch (RuntimeException | Error e) {
        log.warn("the lease of {} cannot be looked at now: {}", sight.lease().id(), e.toString());
        missed(name);
      }
    }
    goOn(name);
  }

  /** The observation of a Lease that did not change for one step; null if it did. */
  private synchronized @Nullable Sight silent(String name) {
    var sight = sights.get(name);
    boolean silent =
        sight != null && nanos.getAsLong() - sight.seen() >= step(sight.lease()).toNanos();
    return silent ? sight : null;
  }

  private synchronized void heard(String name, @Nullable IdentityLease lease) {
    var known = sights.get(name);
    if (lease == null) {
      sights.remove(name);
    } else if (known == null || !known.isOf(lease)) {
      sights.put(name, Sight.first(lease, nanos.getAsLong()));
    } else {
      sights.put(name, known.again(nanos.getAsLong()));
    }
  }

  private synchronized void missed(String name) {
    sights.computeIfPresent(name, (any, sight) -> sight.missed(nanos.getAsLong()));
  }

  private synchronized @Nullable IdentityLease over(String name) {
    var sight = sights.get(name);
    return sight != null && sight.isOver() ? sight.lease() : null;
  }

  private void collect(String name) {
    var lease = over(name);
    if (lease == null) {
      return;
    }
    if (leases.delete(lease)) {
      log.info(
          "collected the lease of {}, silent for {}, which says that it was renewed at {}",
          lease.id(),
          duration(lease),
          lease.renewed());
    } else {
      log.info("the lease of {} was renewed or deleted just now", lease.id());
    }
    forget(name);
  }

  private synchronized void goOn(String name) {
    var sight = sights.get(name);
    if (sight == null) {
      watched.remove(name);
    } else {
      later.after(step(sight.lease()), () -> lookAgain(name));
    }
  }
}
