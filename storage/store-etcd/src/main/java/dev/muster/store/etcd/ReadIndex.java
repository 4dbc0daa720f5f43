package dev.muster.store.etcd;

import dev.muster.store.StoreException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Asks etcd for the latest revision on behalf of all waiting readers. At most one request is under
 * way. Readers that arrive meanwhile share the next request, because an answer is valid only for
 * readers that arrived before its request was sent. Thread-safe: its own monitor guards it.
 */
final class ReadIndex {
  private static final long RETRY_MILLIS = 50;

  /** The readers that share one answer. */
  private static final class Batch {
    private final CompletableFuture<Long> answer = new CompletableFuture<>();
    private final long deadline;

    Batch(long deadline) {
      this.deadline = deadline;
    }
  }

  private final EtcdClient client;
  private final ScheduledExecutorService timer;
  private final EtcdHistory history;
  private @Nullable Batch asking;
  private @Nullable Batch waiting;

  /**
   * @param history checks every answer
   */
  ReadIndex(EtcdClient client, ScheduledExecutorService timer, EtcdHistory history) {
    this.client = client;
    this.timer = timer;
    this.history = history;
  }

  CompletableFuture<Long> get() {
    Batch started;
    synchronized (this) {
      if (asking != null) {
        if (waiting == null) {
          waiting = new Batch(client.deadline());
        }
        return waiting.answer.copy();
      }
      started = new Batch(client.deadline());
      asking = started;
    }
    var answer = started.answer.copy();
    ask(started);
    return answer;
  }

  private void ask(Batch batch) {
    var least = history.highest();
    client
        .call(Method.RANGE, EtcdRequests.nothing(0))
        .whenComplete(
            (range, failure) -> {
              if (range == null) {
                retry(batch, failure);
                return;
              }
              next();
              history.heard(range.header(), least);
              var replaced = history.replacement();
              if (replaced != null) {
                batch.answer.completeExceptionally(replaced);
              } else {
                batch.answer.complete(range.revision());
              }
            });
  }

  /** Sends the request for the readers that arrived meanwhile. */
  private void next() {
    Batch started;
    synchronized (this) {
      started = waiting;
      waiting = null;
      asking = started;
    }
    if (started != null) {
      ask(started);
    }
  }

  private void retry(Batch batch, Throwable failure) {
    var reason = EtcdFailure.of(failure);
    if (!reason.mayPass() || System.nanoTime() - batch.deadline >= 0 || timer.isShutdown()) {
      next();
      batch.answer.completeExceptionally(
          timer.isShutdown() ? new StoreException.Closed() : reason.toStoreException());
      return;
    }
    timer.schedule(() -> ask(merged(batch)), RETRY_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Adds the readers that arrived during a failed attempt to the next attempt. */
  private synchronized Batch merged(Batch batch) {
    var joined = waiting;
    if (joined != null) {
      waiting = null;
      batch.answer.whenComplete(
          (revision, failure) -> {
            if (failure == null) {
              joined.answer.complete(revision);
            } else {
              joined.answer.completeExceptionally(failure);
            }
          });
    }
    return batch;
  }
}
