package dev.muster.store.etcd;

import dev.muster.store.CommitResult;
import dev.muster.store.Operation;
import dev.muster.store.StoreException;
import dev.muster.store.Transaction;
import dev.muster.store.etcd.CommitMarks.Mark;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Runs one commit until its outcome is known. The first attempt does not block. When it does not
 * suffice (a lease is needed, the response is lost, there is no leader), a virtual thread
 * continues. Only one thread at a time uses the commit.
 *
 * <p>An attempt whose response is lost may have taken effect, or may still do so. The next step
 * therefore overwrites the attempt's mark under the same guard. If that succeeds, the attempt did
 * not and cannot take effect, and the commit is tried again. If it fails, the mark shows which of
 * the two writes was first. The outcome is ambiguous only when neither is known in time.
 *
 * <p>An etcd without space accepts no marks, but accepts deletes. The store then deletes without a
 * mark, and a lost response leaves the outcome ambiguous.
 */
final class EtcdCommit {
  private final EtcdClient client;
  private final CommitMarks marks;
  private final Leases leases;
  private final EtcdKeys keys;
  private final Transaction transaction;
  private final boolean changes;
  private final boolean puts;
  private final EtcdSpace space;
  private final EtcdHistory history;
  private final long least;
  private final CompletableFuture<CommitResult> outcome = new CompletableFuture<>();
  private final long deadline;
  private @Nullable Mark mark;
  private long attempted;
  private boolean inDoubt;
  private boolean unmarked;

  EtcdCommit(
      EtcdClient client,
      CommitMarks marks,
      Leases leases,
      EtcdKeys keys,
      EtcdSpace space,
      EtcdHistory history,
      Transaction transaction) {
    this.client = client;
    this.marks = marks;
    this.leases = leases;
    this.keys = keys;
    this.space = space;
    this.history = history;
    least = history.highest();
    this.transaction = transaction;
    changes = transaction.operations().stream().anyMatch(o -> !(o instanceof Operation.Check));
    puts = transaction.operations().stream().anyMatch(Operation.Put.class::isInstance);
    deadline = client.deadline();
  }

  CompletableFuture<CommitResult> start() {
    var firstMark = changes ? marks.takeNow() : null;
    var request = changes && firstMark == null ? null : request(firstMark, false);
    if (request == null) {
      if (firstMark != null) {
        marks.release(firstMark);
      }
      Thread.ofVirtual().name("etcd-commit").start(() -> persist(null, null));
      return outcome;
    }
    client
        .call(Method.TXN, request)
        .whenComplete(
            (answer, failure) -> {
              if (answer != null) {
                finish(firstMark, answer);
              } else {
                Thread.ofVirtual().name("etcd-commit").start(() -> persist(firstMark, failure));
              }
            });
    return outcome;
  }

  /** Encodes an attempt; returns null when it needs a lease and must not wait for one. */
  private byte @Nullable [] request(@Nullable Mark mark, boolean mayBlock) {
    var operations = transaction.operations();
    var guards = new ArrayList<EtcdRequests.Guard>(operations.size() + 1);
    var success = new ArrayList<EtcdRequests.Step>(operations.size() + 1);
    var failure = new ArrayList<EtcdRequests.Step>(operations.size());
    for (var operation : operations) {
      var key = keys.toEtcd(operation.key());
      if (operation.expected() != Operation.ANY) {
        guards.add(EtcdRequests.Guard.expecting(key, operation.expected()));
        failure.add(new EtcdRequests.Step.Get(key));
      }
      switch (operation) {
        case Operation.Put put -> {
          var lease = lease(put, mayBlock);
          if (lease == null) {
            return null;
          }
          success.add(new EtcdRequests.Step.Put(key, put.value(), lease));
        }
        case Operation.Delete _ -> success.add(new EtcdRequests.Step.Delete(key));
        case Operation.Check _ -> {}
      }
    }
    if (mark != null) {
      guards.add(mark.guard());
      success.add(mark.nextWrite());
    }
    return EtcdRequests.transaction(guards, success, failure);
  }

  private @Nullable Long lease(Operation.Put put, boolean mayBlock) {
    var timeToLive = put.timeToLive();
    if (timeToLive == null) {
      return 0L;
    }
    return mayBlock
        ? Long.valueOf(leases.lease(timeToLive, deadline))
        : leases.leaseNow(timeToLive);
  }

  private void finish(@Nullable Mark mark, Responses.Txn answer) {
    history.heard(answer.header(), least);
    if (answer.succeeded() && puts) {
      space.isThere();
    }
    if (mark != null) {
      if (answer.succeeded()) {
        mark.writtenAt(answer.revision());
      }
      marks.release(mark);
    }
    outcome.complete(
        answer.succeeded()
            ? new CommitResult.Committed(answer.revision())
            : new CommitResult.Conflict(answer.revision(), conflicts(answer)));
  }

  private List<CommitResult.Found> conflicts(Responses.Txn answer) {
    var found = new ArrayList<CommitResult.Found>();
    for (var operation : transaction.operations()) {
      var key = keys.toEtcd(operation.key());
      var entry = answer.entries().stream().filter(e -> Arrays.equals(e.key(), key)).findFirst();
      var modRevision = entry.map(Responses.KeyValue::modRevision).orElse(Operation.ABSENT);
      if (!Operation.isAsExpected(operation.expected(), modRevision)) {
        found.add(
            new CommitResult.Found(
                operation.key(),
                modRevision,
                entry.map(Responses.KeyValue::value).orElse(new byte[0])));
      }
    }
    return found;
  }

  /** Continues until the outcome is known or the time is up; blocks its virtual thread. */
  private void persist(@Nullable Mark firstMark, @Nullable Throwable firstFailure) {
    mark = firstMark;
    attempted = firstMark == null ? 0 : firstMark.number();
    var failure = firstFailure == null ? null : EtcdFailure.of(firstFailure);
    var pause = EtcdClient.smallestPause();
    try {
      while (true) {
        if (failure != null) {
          takeIn(failure);
          if (outcome.isDone()) {
            return;
          }
          pause = client.pause(pause, deadline, failure);
        }
        var request = inDoubt ? null : prepare();
        try {
          if (request == null) {
            resolve();
          } else {
            finish(mark, EtcdClient.join(client.call(Method.TXN, request)));
          }
          if (outcome.isDone()) {
            return;
          }
          failure = null;
        } catch (EtcdFailure e) {
          failure = e;
        }
      }
    } catch (EtcdFailure e) {
      if (e.meaning() == EtcdFailure.Meaning.NO_SPACE) {
        space.isExhausted(e);
      }
      giveUp(e.toStoreException());
    } catch (StoreException e) {
      giveUp(e);
    } catch (RuntimeException | Error e) {
      giveUp(new StoreException.Unavailable("etcd: " + e, e));
    }
  }

  private byte[] prepare() {
    if (changes && mark == null && !unmarked) {
      mark = takeMark();
    }
    var request = request(mark, true);
    attempted = mark == null ? 0 : mark.number();
    return Objects.requireNonNull(request);
  }

  private @Nullable Mark takeMark() {
    try {
      return marks.take(deadline);
    } catch (EtcdFailure failure) {
      if (failure.meaning() != EtcdFailure.Meaning.NO_SPACE || puts) {
        throw failure;
      }
      unmarked = true;
      return null;
    }
  }

  /** Decides what a failed attempt, or a failed read of its mark, means for the commit. */
  private void takeIn(EtcdFailure failure) {
    switch (failure.meaning()) {
      case IN_DOUBT -> {
        inDoubt = mark != null || unmarked;
        if (unmarked) {
          giveUp(failure.toStoreException());
        }
      }
      case NO_SPACE -> {
        space.isExhausted(failure);
        if (puts || inDoubt || unmarked) {
          giveUp(failure.toStoreException());
        } else if (mark != null) {
          marks.release(mark);
          mark = null;
          unmarked = true;
        }
      }
      case NOT_DONE, NOT_AUTHENTICATED -> {}
      case LEASE_GONE -> {
        if (mark != null) {
          marks.leaseIsGone(mark);
        }
        leases.forget();
        if (inDoubt) {
          giveUp(failure.toStoreException());
        }
        mark = null;
      }
      case TOO_LARGE, DENIED, COMPACTED, FUTURE_REVISION -> giveUp(failure.toStoreException());
    }
  }

  /**
   * Overwrites the mark of an attempt in doubt, or finds in the mark that the attempt succeeded.
   */
  private void resolve() {
    var doubtful = Objects.requireNonNull(mark);
    var answer =
        EtcdClient.join(
            client.call(
                Method.TXN,
                EtcdRequests.transaction(
                    List.of(doubtful.guard()),
                    List.of(doubtful.nextWrite()),
                    List.of(doubtful.read()))));
    history.heard(answer.header(), least);
    if (answer.succeeded()) {
      doubtful.writtenAt(answer.revision());
      inDoubt = false;
      return;
    }
    if (answer.entries().isEmpty()) {
      giveUp(new StoreException.Unavailable("etcd: the mark of the commit has expired", null));
      return;
    }
    var entry = answer.entries().getFirst();
    doubtful.writtenAt(entry.modRevision());
    if (ByteBuffer.wrap(entry.value()).getLong() == attempted) {
      marks.release(doubtful);
      outcome.complete(new CommitResult.Committed(entry.modRevision()));
    }
    inDoubt = false;
  }

  private void giveUp(StoreException failure) {
    if (inDoubt) {
      outcome.complete(new CommitResult.Unknown(failure));
    } else {
      if (mark != null) {
        marks.release(mark);
      }
      outcome.completeExceptionally(failure);
    }
  }
}
