package dev.muster.store.etcd;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Used by any thread: the keys by which a commit is recognised afterwards.
 *
 * <p>Every transaction that changes something also writes a number to a key that no other commit
 * uses at that time, guarded by that key's mod revision. When the answer of a transaction is lost,
 * the number tells whether it took effect; and overwriting the number makes sure that it cannot do
 * so any more. The keys hang on a lease, so that those of a server that is gone go away.
 */
final class CommitMarks {
  private static final String PREFIX = "muster/commits/";
  private static final long LEASE_SECONDS = 3600;

  /** Much shorter than the lease, so that no mark expires while its commit is being resolved. */
  private static final Duration USED_FOR = Duration.ofSeconds(LEASE_SECONDS / 2);

  /** Marks that hang on the same lease. */
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

  /** Owned by one commit at a time: a key and what is known to be there. */
  static final class Mark {
    private final Generation generation;
    private final byte[] key;
    private long modRevision;
    private long number;

    private Mark(Generation generation, byte[] key) {
      this.generation = generation;
      this.key = key;
    }

    /** The guard of the next write: nobody wrote since. */
    EtcdRequests.Guard guard() {
      return EtcdRequests.Guard.expecting(key, modRevision);
    }

    /** The next write, with a number that was never written before; {@link #number} tells it. */
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

    /** Notes that the mark was written last at that revision. */
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

  /** A mark, or null when {@link #take} must ask etcd for a lease first. */
  @Nullable Mark takeNow() {
    var generation = current;
    return generation != null && generation.isUsable() ? take(generation) : null;
  }

  /** A mark; blocks while a lease is granted. */
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

  /** Gives back a mark whose state is known. One whose state is not known is never used again. */
  void release(Mark mark) {
    mark.generation.free.addLast(mark);
  }

  /** Makes later commits use another lease, because that mark's is gone. */
  synchronized void leaseIsGone(Mark mark) {
    if (current == mark.generation) {
      current = null;
    }
  }

  /** Removes all marks from etcd, unless that takes long. */
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
