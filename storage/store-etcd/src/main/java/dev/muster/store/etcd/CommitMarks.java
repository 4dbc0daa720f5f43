package dev.muster.store.etcd;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Keys in etcd by which the store finds out whether a commit took effect. Thread-safe.
 *
 * <p>Every transaction that changes something also writes a number to a mark. No other commit uses
 * that mark at the same time, and the transaction guards its mod revision. When the response to a
 * transaction is lost, the number shows whether the transaction took effect. Overwriting the number
 * ensures that the transaction can no longer take effect. The marks belong to a lease, so that etcd
 * removes the marks of a server that is gone.
 */
final class CommitMarks {
  private static final String PREFIX = "muster/commits/";
  private static final long LEASE_SECONDS = 3600;

  /** Much shorter than the lease, so that no mark expires while its commit is being resolved. */
  private static final Duration USED_FOR = Duration.ofSeconds(LEASE_SECONDS / 2);

  /** Marks that share one lease. */
  private static final class Generation {
    private final long lease;
    private final long endNanos;
    private final ConcurrentLinkedDeque<Mark> free = new ConcurrentLinkedDeque<>();

    Generation(long lease) {
      this.lease = lease;
      endNanos = System.nanoTime() + USED_FOR.toNanos();
    }

    boolean isUsable() {
      return System.nanoTime() - endNanos < 0;
    }
  }

  /** A mark's key and its known state in etcd. Only one commit at a time uses it. */
  static final class Mark {
    private final Generation generation;
    private final byte[] key;
    private long modRevision;
    private long number;

    private Mark(Generation generation, byte[] key) {
      this.generation = generation;
      this.key = key;
    }

    /** The guard of the next write: the mark has not been written since. */
    EtcdRequests.Guard guard() {
      return EtcdRequests.Guard.expecting(key, modRevision);
    }

    /** The next write, with a number that was never written before; {@link #number} returns it. */
    EtcdRequests.Step nextWrite() {
      number++;
      return new EtcdRequests.Step.Put(
          key, ByteBuffer.allocate(Long.BYTES).putLong(number).array(), generation.lease);
    }

    EtcdRequests.Step read() {
      return new EtcdRequests.Step.Get(key);
    }

    long number() {
      return number;
    }

    /** Records the revision that last wrote the mark. */
    void writtenAt(long revision) {
      modRevision = revision;
    }
  }

  private final EtcdClient client;
  private final String prefix;
  private final AtomicLong names = new AtomicLong();
  private volatile @Nullable Generation current;

  CommitMarks(EtcdClient client, long instance) {
    this.client = client;
    prefix = PREFIX + Long.toHexString(instance) + "/";
  }

  /** Returns a mark, or null when {@link #take} must first request a lease from etcd. */
  @Nullable Mark takeNow() {
    var generation = current;
    return generation != null && generation.isUsable() ? take(generation) : null;
  }

  /** Returns a mark; blocks while etcd grants a lease. */
  synchronized Mark take(long deadlineNanos) {
    var known = takeNow();
    if (known != null) {
      return known;
    }
    var lease =
        client.callUntil(deadlineNanos, Method.LEASE_GRANT, EtcdRequests.leaseGrant(LEASE_SECONDS));
    var generation = new Generation(lease.id());
    current = generation;
    return take(generation);
  }

  private Mark take(Generation generation) {
    var free = generation.free.pollLast();
    if (free != null) {
      return free;
    }
    var key = prefix + Long.toHexString(names.incrementAndGet());
    return new Mark(generation, key.getBytes(StandardCharsets.US_ASCII));
  }

  /**
   * Returns a mark whose state is known for reuse. A mark in an unknown state is never used again.
   */
  void release(Mark mark) {
    mark.generation.free.addLast(mark);
  }

  /** Makes later commits use another lease, because that mark's lease has expired. */
  synchronized void leaseIsGone(Mark mark) {
    if (current == mark.generation) {
      current = null;
    }
  }

  /** Removes the current marks from etcd; gives up after a second. */
  void removeAll() {
    var generation = current;
    current = null;
    if (generation != null) {
      client
          .call(Method.LEASE_REVOKE, EtcdRequests.lease(generation.lease))
          .orTimeout(1, TimeUnit.SECONDS)
          .exceptionally(_ -> Responses.Header.NONE)
          .join();
    }
  }
}
