package dev.muster.server.audit;

import dev.muster.audit.AuditEvent;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Audit events that wait for their backend, limited in number and, for the bodies in them, in
 * memory. Thread-safe.
 */
final class EventQueue {
  /**
   * A waiting event.
   *
   * @param done completes with the outcome
   */
  record Waiting(AuditEvent event, CompletableFuture<Boolean> done) {}

  private static final long MOST_BYTES =
      Math.min(256L * 1024 * 1024, Runtime.getRuntime().maxMemory() / 8);

  private final LinkedBlockingQueue<Waiting> queue;
  private final AtomicLong bytes = new AtomicLong();

  EventQueue(int most) {
    queue = new LinkedBlockingQueue<>(most);
  }

  /** Adds an event if there is room for it. An event that waits alone may have any size. */
  boolean offer(Waiting waiting) {
    int weight = waiting.event().weight();
    if (weight > 0 && bytes.addAndGet(weight) > MOST_BYTES && !queue.isEmpty()) {
      bytes.addAndGet(-weight);
      return false;
    }
    if (queue.offer(waiting)) {
      return true;
    }
    bytes.addAndGet(-weight);
    return false;
  }

  /** The next event, or null when none came in that time. */
  @Nullable Waiting poll(long nanos) throws InterruptedException {
    var next = queue.poll(nanos, TimeUnit.NANOSECONDS);
    if (next != null) {
      taken(next);
    }
    return next;
  }

  /** Adds waiting events to the list, up to that number. */
  void drainTo(List<Waiting> taken, int most) {
    int before = taken.size();
    queue.drainTo(taken, most);
    for (int i = before; i < taken.size(); i++) {
      taken(taken.get(i));
    }
  }

  private void taken(Waiting waiting) {
    int weight = waiting.event().weight();
    if (weight > 0) {
      bytes.addAndGet(-weight);
    }
  }

  boolean isEmpty() {
    return queue.isEmpty();
  }
}
