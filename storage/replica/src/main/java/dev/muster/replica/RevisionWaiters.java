package dev.muster.replica;

import dev.muster.replica.snapshot.ReplicaException;
import dev.muster.replica.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Futures that wait until the replica has applied a revision. Any thread adds a waiter, then checks
 * the current snapshot again; the applier publishes a snapshot before it completes waiters. So no
 * waiter misses its snapshot.
 */
final class RevisionWaiters {
  private record Waiter(long revision, CompletableFuture<Snapshot> answer) {}

  private final Supplier<@Nullable Snapshot> current;
  private final ConcurrentLinkedQueue<Waiter> arrivals = new ConcurrentLinkedQueue<>();
  private volatile @Nullable ReplicaException closed;

  // Only the applier thread uses this queue.
  private final PriorityQueue<Waiter> waiting =
      new PriorityQueue<>(Comparator.comparingLong(Waiter::revision));

  RevisionWaiters(Supplier<@Nullable Snapshot> current) {
    this.current = current;
  }

  /** The current snapshot as soon as it has that revision. */
  CompletableFuture<Snapshot> await(long revision) {
    var snapshot = current.get();
    if (snapshot != null && snapshot.revision() >= revision) {
      return CompletableFuture.completedFuture(snapshot);
    }
    var waiter = new Waiter(revision, new CompletableFuture<>());
    arrivals.add(waiter);
    snapshot = current.get();
    if (snapshot != null && snapshot.revision() >= revision) {
      waiter.answer.complete(snapshot);
    } else {
      var end = closed;
      if (end != null) {
        waiter.answer.completeExceptionally(end);
      }
    }
    return waiter.answer;
  }

  /** Completes all waiters whose revision the snapshot has reached. */
  void serve(Snapshot snapshot) {
    for (var arrival = arrivals.poll(); arrival != null; arrival = arrivals.poll()) {
      if (arrival.revision <= snapshot.revision()) {
        arrival.answer.complete(snapshot);
      } else if (!arrival.answer.isDone()) {
        waiting.add(arrival);
      }
    }
    for (var first = waiting.peek();
        first != null && first.revision <= snapshot.revision();
        first = waiting.peek()) {
      waiting.remove().answer.complete(snapshot);
    }
  }

  /** Removes waiters that gave up. */
  void tidy() {
    waiting.removeIf(waiter -> waiter.answer.isDone());
  }

  /** Fails all present and future waiters with that exception. */
  void close(ReplicaException end) {
    closed = end;
    var all = new ArrayList<>(waiting);
    waiting.clear();
    for (var arrival = arrivals.poll(); arrival != null; arrival = arrivals.poll()) {
      all.add(arrival);
    }
    all.forEach(waiter -> waiter.answer.completeExceptionally(end));
  }
}
