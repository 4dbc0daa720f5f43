package dev.muster.store.etcd;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Grants and shares the leases that expire keys; puts with the same time to live share a lease, as
 * in kube-apiserver. Thread-safe.
 *
 * <p>A key never expires early: a lease lasts at least a second longer than requested, and serves
 * further keys only while it has that much time left. A key expires at most two seconds plus a
 * twentieth of its time to live late; that twentieth is at most a minute. A key expires later still
 * when etcd elects a new leader meanwhile, which renews all leases.
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

  /**
   * The lease for a put with that time to live, or null when the store must request one from etcd.
   */
  synchronized @Nullable Long leaseNow(Duration timeToLive) {
    var lease = granted.get(timeToLive);
    var needed = timeToLive.plusSeconds(RESERVE_SECONDS).toNanos();
    if (lease == null || lease.keys >= MAX_KEYS || lease.endNanos - System.nanoTime() < needed) {
      return null;
    }
    lease.keys++;
    return lease.id;
  }

  /** The lease for a put with that time to live; blocks while etcd grants it. */
  long lease(Duration timeToLive, long deadlineNanos) {
    var known = leaseNow(timeToLive);
    if (known != null) {
      return known;
    }
    var asked = seconds(timeToLive);
    var start = System.nanoTime();
    var answer =
        client.callUntil(deadlineNanos, Method.LEASE_GRANT, EtcdRequests.leaseGrant(asked));
    // etcd granted this lease after the start, so the lease does not end earlier than this.
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

  /** Drops all leases, because one of them has expired. */
  synchronized void forget() {
    granted.clear();
  }
}
