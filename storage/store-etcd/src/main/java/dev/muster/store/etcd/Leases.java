package dev.muster.store.etcd;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Used by any thread: leases that make keys expire, shared by puts of the same time to live, as
 * kube-apiserver does. A key never expires early: a lease is granted for at least a second more
 * than asked for, and used for further keys only while it still has that much left. It expires late
 * by at most two seconds and a twentieth of its time to live, but no more than a minute; later
 * still when etcd elects a new leader meanwhile, which renews all leases.
 */
final class Leases {
  private static final long RESERVE_SECONDS = 1;
  private static final long MAX_SHARING_SECONDS = 60;
  private static final int MAX_KEYS = 1000;

  private static final class Granted {
    private final long id;
    private final long endNanos;
    private int keys;

    Granted(long id, long endNanos) {
      this.id = id;
      this.endNanos = endNanos;
    }
  }

  private final EtcdClient client;
  private final Map<Duration, Granted> granted = new HashMap<>();

  Leases(EtcdClient client) {
    this.client = client;
  }

  /** The lease for a put with that time to live, or null when etcd must be asked for one. */
  synchronized @Nullable Long leaseNow(Duration timeToLive) {
    var lease = granted.get(timeToLive);
    var needed = timeToLive.plusSeconds(RESERVE_SECONDS).toNanos();
    if (lease == null || lease.keys >= MAX_KEYS || lease.endNanos - System.nanoTime() < needed) {
      return null;
    }
    lease.keys++;
    return lease.id;
  }

  /** The lease for a put with that time to live; blocks while it is granted. */
  long lease(Duration timeToLive, long deadlineNanos) {
    var known = leaseNow(timeToLive);
    if (known != null) {
      return known;
    }
    var asked = seconds(timeToLive);
    var start = System.nanoTime();
    var answer =
        client.callUntil(deadlineNanos, Method.LEASE_GRANT, EtcdRequests.leaseGrant(asked));
    // A retried grant may be older than the start, but not the one whose answer this is.
    var end = start + TimeUnit.SECONDS.toNanos(answer.seconds());
    synchronized (this) {
      var lease = new Granted(answer.id(), end);
      lease.keys = 1;
      granted.put(timeToLive, lease);
      return lease.id;
    }
  }

  private static long seconds(Duration timeToLive) {
    var whole = timeToLive.plusNanos(999_999_999).toSeconds();
    return whole + RESERVE_SECONDS + Math.min(whole / 20, MAX_SHARING_SECONDS);
  }

  /** Forgets all leases, because one of them is gone. */
  synchronized void forget() {
    granted.clear();
  }
}
