package dev.muster.server.request;

import dev.muster.registry.commit.Commits;
import dev.muster.replica.Replica;
import dev.muster.replica.Snapshot;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Safe for any thread. Lets requests on event loops wait for a snapshot without blocking. */
public final class SnapshotWaits {
  private final Replica replica;

  public SnapshotWaits(Replica replica) {
    this.replica = replica;
  }

  /**
   * Goes on when the replica shows everything acknowledged before this call. What was refused for
   * what the cluster looked like is looked at again then, before the client hears of it.
   */
  public void whenFresh(Request request, Runnable action) {
    whenReady(request, replica.fresh(), ignored -> action.run());
  }

  /** Goes on with the snapshot on the event loop, now or later, but not after the deadline. */
  public void whenReady(
      Request request, CompletableFuture<Snapshot> future, Consumer<Snapshot> action) {
    if (future.isDone() && !future.isCompletedExceptionally()) {
      action.accept(future.join());
      return;
    }
    var loop = request.exchange().eventLoop();
    var late =
        loop.schedule(
            () -> request.fail(Commits.late()),
            request.deadline().remainingNanos(),
            TimeUnit.NANOSECONDS);
    future.whenCompleteAsync(
        (snapshot, failure) -> {
          if (!late.cancel(false)) {
            return;
          }
          try {
            if (failure != null) {
              request.fail(failure);
            } else {
              action.accept(snapshot);
            }
          } catch (RuntimeException | Error e) {
            request.fail(e);
          }
        },
        loop);
  }
}
