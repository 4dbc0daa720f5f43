package dev.muster.registry;

import dev.muster.model.ApiException;
import dev.muster.model.ObjectName;
import dev.muster.model.Reason;
import dev.muster.model.StatusDetails;
import dev.muster.registry.scheduling.Turn;
import dev.muster.replica.RecentTrees;
import dev.muster.replica.Replica;
import dev.muster.replica.ReplicaException;
import dev.muster.replica.Snapshot;
import dev.muster.replica.StoredObject;
import dev.muster.replica.WrittenTree;
import dev.muster.store.CommitResult;
import dev.muster.store.Store;
import dev.muster.store.StoreException;
import dev.muster.store.Transaction;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The border to the store: commits, waits until this replica shows the commit, and translates what
 * the store says into answers for clients. Blocks; called on threads that may wait.
 */
public final class Commits {
  private static final long REMEMBERED = 8 << 20;

  private final RecentTrees recent = new RecentTrees(REMEMBERED);
  private final Store store;
  private final Replica replica;
  private final Duration patience;

  /**
   * @param patience how long a request waits for the store
   */
  public Commits(Store store, Replica replica, Duration patience) {
    this.store = store;
    this.replica = replica;
    this.patience = patience;
  }

  /** Commits, or answers what stood in the way. */
  CommitResult commit(Transaction transaction) {
    var result = await(store.commit(transaction));
    if (result instanceof CommitResult.Unknown) {
      throw new ApiException(
          Reason.TIMEOUT,
          "Timeout: the store did not say whether the write took effect; read the object before"
              + " you try again",
          StatusDetails.NONE);
    }
    return result;
  }

  /** The object as that very commit wrote it. */
  StoredObject written(String storage, ObjectName name, long revision) {
    var latest = shown(revision);
    var exact = latest.revision() == revision ? latest : replica.at(revision).orElse(latest);
    var object = exact.collection(storage).get(name.namespace(), name.name());
    if (object == null) {
      throw ApiException.internal("object of revision " + revision + " is not in the replica");
    }
    return object;
  }

  /** The same, whose tree is remembered for the next change. */
  StoredObject written(String storage, ObjectName name, long revision, WrittenTree tree) {
    var object = written(storage, name, revision);
    var versioned = ObjectMeta.with(tree.tree(), "resourceVersion", Long.toString(revision));
    recent.remember(storage, object, new WrittenTree(versioned, tree.isValid()));
    return object;
  }

  /** A snapshot in which that revision is applied. */
  Snapshot shown(long revision) {
    var current = replica.current();
    return current.revision() >= revision ? current : await(replica.applied(revision));
  }

  Snapshot current() {
    return replica.current();
  }

  /** A snapshot that is at least as new as anything acknowledged before this call. */
  Snapshot fresh() {
    return await(replica.fresh());
  }

  /** Waits; clients are not told to try again at once, for the write may have taken effect. */
  private <T> T await(CompletableFuture<T> future) {
    try {
      return future.isDone()
          ? future.get()
          : Turn.waiting(() -> future.get(patience.toNanos(), TimeUnit.NANOSECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unavailable("the server is stopping");
    } catch (TimeoutException e) {
      throw late();
    } catch (ExecutionException e) {
      var cause = e.getCause();
      throw translate(cause == null ? e : cause);
    }
  }

  /** The answer to a request that has waited for the store for too long. */
  public static ApiException late() {
    return new ApiException(
        Reason.TIMEOUT, "Timeout: the store did not answer in time", StatusDetails.NONE);
  }

  /** What a failure of the store or the replica means to a client. */
  public static RuntimeException translate(Throwable failure) {
    return switch (failure) {
      case ApiException answer -> answer;
      case TimeoutException ignored -> late();
      case StoreException.TooLarge large ->
          new ApiException(
              Reason.REQUEST_ENTITY_TOO_LARGE, "Request entity too large: " + large.getMessage());
      case StoreException.Unavailable ignored -> unavailable("the store cannot be reached");
      case StoreException.Closed ignored -> unavailable("the server is stopping");
      case StoreException other -> ApiException.internal(String.valueOf(other.getMessage()));
      case ReplicaException.Expired expired ->
          new ApiException(Reason.EXPIRED, String.valueOf(expired.getMessage()));
      case ReplicaException.Closed ignored -> unavailable("the server is stopping");
      case ReplicaException other -> ApiException.internal(String.valueOf(other.getMessage()));
      case RuntimeException other -> other;
      case Throwable other -> new IllegalStateException(other);
    };
  }

  private static ApiException unavailable(String why) {
    return new ApiException(Reason.SERVICE_UNAVAILABLE, why, StatusDetails.NONE.withRetryAfter(1));
  }
}
