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
 * Guarded by its own lock. Decides which identity Leases are collected: those that were seen
 * unchanged for their whole duration, by a clock that never jumps. The times in a Lease are not
 * consulted, for the clock that wrote them may be wrong, and the collector's own too.
 *
 * <pre>
 * another version        the silence begins anew
 * looked at in time,
 *   unchanged            the time since the look before counts
 * no answer, or late     that time does not count: the server may not have been able to renew
 * silent for so long     deleted, under the version that was seen
 * renewed just then      kept: the API server refuses the deletion
 * </pre>
 */
final class ExpiredLeasePolicy {
  private static final Logger log = LoggerFactory.getLogger(ExpiredLeasePolicy.class);

  /** How long a Lease lasts that does not say: the default of API servers. */
  private static final Duration USUAL_DURATION = Duration.ofHours(1);

  /** Looks at a silent Lease in the time that it lasts, unless it is renewed more rarely. */
  private static final int LOOKS = 120;

  /** As many looks in a row must have found it unchanged, the last ones before it is deleted. */
  private static final int LAST_LOOKS = 3;

  /** The Leases as an API server has them. */
  interface Leases {
    @Nullable IdentityLease get(String name);

    /** Deletes that very version; false when it has changed since or is gone. */
    boolean delete(IdentityLease lease);
  }

  /** Does something later. */
  interface Later {
    void after(Duration time, Runnable task);
  }

  /**
   * A version of a Lease.
   *
   * @param seen when it was seen last, by the clock that never jumps
   * @param silence how long it was seen to stay as it is
   * @param looks how many looks in a row, none late, found it unchanged
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

  /** The time between two looks: long enough for a server that lives to renew its Lease. */
  private static Duration step(IdentityLease lease) {
    var part = duration(lease).dividedBy(LOOKS);
    return part.compareTo(lease.grace()) > 0 ? part : lease.grace();
  }

  /** A Lease as it is now; called when it changes and at every resync. */
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

  /** Asks only about Leases of which nothing was heard since the last look. */
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

  /** What is known of a Lease that was not seen to change for a step; null when it was. */
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
