package dev.muster.server.request;

import dev.muster.registry.commit.StoreGateway;
import dev.muster.replica.Replica;
import dev.muster.replica.snapshot.ReplicaException;
import dev.muster.replica.snapshot.Snapshot;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Lets requests on event loops wait for a snapshot without blocking. Thread-safe. */
public final class SnapshotWaiter {
  private final Replica replica;

  public SnapshotWaiter(Replica replica) {
    this.replica = replica;
  }

  /**
   * Continues when the replica includes every write that was acknowledged before this call. Callers
   * use it to check a refusal again before the client receives it.
   */
  public void whenFresh(Request request, Runnable action) {
    whenThere(request, replica.fresh(), ignored -> action.run());
  }

  /** Continues like {@link #whenFresh}, if the fresh snapshot still allows the request. */
  public void whenAllowed(Request request, Runnable action) {
    whenReady(request, replica.fresh(), ignored -> action.run());
  }

  /**
   * Whether the history of the store was replaced. The replica's cluster may then never have
   * existed, and the server serves nothing of it.
   */
  public boolean isReplaced() {
    return replica.isReplaced();
  }

  /** The revision of the newest snapshot; 0 when there is none yet. */
  public long revision() {
    try {
      return replica.current().revision();
    } catch (ReplicaException.NotLoaded e) {
      return 0;
    }
  }

  /**
   * Continues with the snapshot on the event loop, now or later, but not after the deadline. If the
   * roles have changed since the request was authorized, the roles of the snapshot must allow it,
   * too.
   */
  public void whenReady(
      Request request, CompletableFuture<Snapshot> future, Consumer<Snapshot> action) {
    whenThere(request, future, snapshot -> whenAllowed(request, snapshot, action));
  }

  private static void whenAllowed(Request request, Snapshot snapshot, Consumer<Snapshot> action) {
    var authorization = request.authorization();
    if (authorization == null || !authorization.isOutdatedIn(snapshot)) {
      action.accept(snapshot);
      return;
    }
    request.runOnCpuPool(
        () -> {
          authorization.check(snapshot);
          request.onLoop(() -> action.accept(snapshot));
        });
  }

  private static void whenThere(
      Request request, CompletableFuture<Snapshot> future, Consumer<Snapshot> action) {
    if (future.isDone() && !future.isCompletedExceptionally()) {
      action.accept(future.join());
      return;
    }
    request.seat().waits();
    var loop = request.exchange().eventLoop();
    var late =
        loop.schedule(
            () -> request.fail(StoreGateway.late()),
            request.deadline().remainingNanos(),
            TimeUnit.NANOSECONDS);
    future.whenCompleteAsync(
        (snapshot, failure) -> {
          if (!late.cancel(false)) {
            return;
          }
          request.seat().goesOn();
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
