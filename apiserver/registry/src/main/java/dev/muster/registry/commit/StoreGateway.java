package dev.muster.registry.commit;

import dev.muster.model.ObjectName;
import dev.muster.model.json.Json;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.model.status.StatusDetails;
import dev.muster.replica.Replica;
import dev.muster.replica.object.RecentTrees;
import dev.muster.replica.object.StoredObject;
import dev.muster.replica.object.WrittenTree;
import dev.muster.replica.snapshot.ReplicaException;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.store.CommitResult;
import dev.muster.store.Store;
import dev.muster.store.StoreException;
import dev.muster.store.Transaction;
import dev.muster.types.scheduling.CpuTask;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Commits transactions, waits until this replica has applied them, and translates store errors to
 * API errors. Its methods block and give up their CPU seat while they wait (see {@link
 * CpuTask#waiting}). Thread-safe.
 */
public final class StoreGateway {
  private static final long REMEMBERED = 8 << 20;
  private static final String TOO_LARGE = "Request entity too large: ";

  private final RecentTrees recent = new RecentTrees(REMEMBERED);
  private final DeadlineWatch watch = new DeadlineWatch();
  private final Store store;
  private final Replica replica;
  private final CommitTimes times;

  public StoreGateway(Store store, Replica replica) {
    this(store, replica, CommitTimes.NONE);
  }

  public StoreGateway(Store store, Replica replica, CommitTimes times) {
    this.store = store;
    this.replica = replica;
    this.times = times;
  }

  /**
   * Commits the transaction and waits until this replica has applied it.
   *
   * @throws ApiException Timeout when the outcome is ambiguous
   */
  CommitOutcome commit(Transaction transaction, Deadline deadline) {
    long began = System.nanoTime();
    var answered =
        store
            .commit(transaction)
            .thenCompose(
                result -> {
                  times.took(transaction, System.nanoTime() - began);
                  return applied(result);
                });
    return switch (await(answered, deadline)) {
      case CommitResult.Committed done -> new CommitOutcome.Committed(done.revision());
      case CommitResult.Conflict conflict ->
          new CommitOutcome.Overtaken(
              conflict.revision(), conflict.found().stream().map(CommitResult.Found::key).toList());
      case CommitResult.Unknown ignored ->
          throw new ApiException(
              Reason.TIMEOUT,
              "Timeout: the store did not say whether the write took effect; read the object"
                  + " before you try again",
              StatusDetails.NONE);
    };
  }

  /** The result once this replica has applied the commit, so that the writer wakes up only once. */
  private CompletableFuture<CommitResult> applied(CommitResult result) {
    return result instanceof CommitResult.Committed done
        ? replica
            .applied(done.revision())
            .thenApply(snapshot -> result)
            .exceptionallyCompose(StoreGateway::unconfirmed)
        : CompletableFuture.completedFuture(result);
  }

  /** A commit to a replaced history is not acknowledged: its outcome becomes unknown. */
  private static CompletableFuture<CommitResult> unconfirmed(Throwable failure) {
    var cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return cause instanceof ReplicaException.Replaced replaced
        ? CompletableFuture.completedFuture(
            new CommitResult.Unknown(
                new StoreException.Replaced(String.valueOf(replaced.getMessage()))))
        : CompletableFuture.failedFuture(failure);
  }

  /**
   * The object exactly as that commit wrote it; null when this replica no longer has that revision.
   */
  public @Nullable StoredObject written(
      String storage, ObjectName name, long revision, Deadline deadline) {
    var latest = shown(revision, deadline);
    try {
      var exact = latest.revision() == revision ? latest : replica.at(revision).orElse(null);
      return exact == null ? null : exact.collection(storage).get(name.namespace(), name.name());
    } catch (ReplicaException.Expired e) {
      return null;
    }
  }

  /**
   * Whether rewriting the unchanged object would change its stored bytes, for example its
   * encryption.
   */
  public boolean isOutdated(String key, StoredObject object) {
    return object.isOutdated() || store.needsRewrite(key, object.sealing());
  }

  /** Caches the tree of an object that was just written, for its next update. */
  public void remember(String storage, StoredObject object, WrittenTree tree) {
    var version = Json.of(Long.toString(object.revision()));
    var versioned = tree.tree().withAt(version, "metadata", "resourceVersion");
    recent.remember(storage, object, new WrittenTree(versioned, tree.isValid()));
  }

  /** The current snapshot; after a start, waits for the first one. */
  public Snapshot current(Deadline deadline) {
    if (replica.isReplaced()) {
      throw translate(new ReplicaException.Replaced());
    }
    try {
      return replica.current();
    } catch (ReplicaException.NotLoaded e) {
      return await(replica.applied(0), deadline);
    }
  }

  /** A snapshot that contains that revision. */
  public Snapshot shown(long revision, Deadline deadline) {
    var current = current(deadline);
    return current.revision() >= revision ? current : await(replica.applied(revision), deadline);
  }

  /** A snapshot that contains every write acknowledged before this call. */
  public Snapshot fresh(Deadline deadline) {
    return await(replica.fresh(), deadline);
  }

  /** A revision that is at least that of every write acknowledged before this call. */
  long readIndex(Deadline deadline) {
    return await(store.readIndex(), deadline);
  }

  /** The next snapshot after that one; the same one if none arrives in time. */
  Snapshot newer(Snapshot snapshot, long nanos) {
    try {
      var next = replica.applied(snapshot.revision() + 1);
      try (var _ = CpuTask.waiting()) {
        return next.get(nanos, TimeUnit.NANOSECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unavailable("the server is stopping");
    } catch (TimeoutException e) {
      return snapshot;
    } catch (ExecutionException e) {
      throw translate(e.getCause() == null ? e : e.getCause());
    }
  }

  /**
   * Waits for the future. A timeout does not tell the client to retry at once, because the write
   * may have taken effect.
   */
  private <T> T await(CompletableFuture<T> future, Deadline deadline) {
    try {
      if (future.isDone()) {
        return future.get();
      }
      try (var _ = CpuTask.waiting()) {
        return watch.await(future, deadline);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unavailable("the server is stopping");
    } catch (TimeoutException e) {
      throw late();
    } catch (ExecutionException e) {
      throw translate(e.getCause() == null ? e : e.getCause());
    }
  }

  /** The error response when the store did not answer in time. */
  public static ApiException late() {
    return new ApiException(
        Reason.TIMEOUT, "Timeout: the store did not answer in time", StatusDetails.NONE);
  }

  /** Whether the error tells that the store refused a write because of its size. */
  public static boolean isTooLarge(ApiException answer) {
    return answer.reason() == Reason.REQUEST_ENTITY_TOO_LARGE
        && answer.text().startsWith(TOO_LARGE);
  }

  /** Translates an error of the store or the replica to an error response. */
  public static RuntimeException translate(Throwable failure) {
    return switch (failure) {
      case ApiException answer -> answer;
      case TimeoutException ignored -> late();
      case StoreException.TooLarge large ->
          new ApiException(Reason.REQUEST_ENTITY_TOO_LARGE, TOO_LARGE + large.getMessage());
      case StoreException.Unavailable ignored -> unavailable("the store cannot be reached");
      case StoreException.Full ignored ->
          unavailable("the store is full: only deletes are taken until there is room again");
      case StoreException.Closed ignored -> unavailable("the server is stopping");
      case StoreException.Replaced ignored -> translate(new ReplicaException.Replaced());
      case StoreException other -> ApiException.internal(String.valueOf(other.getMessage()));
      case ReplicaException.Expired expired ->
          new ApiException(Reason.EXPIRED, String.valueOf(expired.getMessage()));
      case ReplicaException.Closed ignored -> unavailable("the server is stopping");
      case ReplicaException.Replaced replaced -> unavailable(String.valueOf(replaced.getMessage()));
      case ReplicaException.NotLoaded loading -> unavailable(String.valueOf(loading.getMessage()));
      case ReplicaException.Unreadable unreadable ->
          ApiException.internal(String.valueOf(unreadable.getMessage()));
      case RuntimeException other -> other;
      case Throwable other -> new IllegalStateException(other);
    };
  }

  private static ApiException unavailable(String why) {
    return new ApiException(Reason.SERVICE_UNAVAILABLE, why, StatusDetails.NONE.withRetryAfter(1));
  }
}
