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
 * Entered by any thread, served by the applier: who waits for a revision. Who enters looks at the
 * current snapshot once more afterwards, and the applier publishes before it serves, so nobody is
 * left behind.
 */
final class RevisionWaiters {
  private record Waiter(long revision, CompletableFuture<Snapshot> answer) {}

  private final Supplier<@Nullable Snapshot> current;
  private final ConcurrentLinkedQueue<Waiter> arrivals = new ConcurrentLinkedQueue<>();
  private volatile @Nullable ReplicaException closed;

  // The applier's own.
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

  /** Answers everybody whose revision is there. */
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

  /** Forgets those who gave up. */
  void tidy() {
    waiting.removeIf(waiter -> waiter.answer.isDone());
  }

  /** Fails all that wait and that will wait, with that. */
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
