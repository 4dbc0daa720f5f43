package dev.muster.registry.commit;

import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.registry.commit.CommitOutcome.Committed;
import dev.muster.registry.commit.CommitOutcome.Overtaken;
import dev.muster.replica.snapshot.ReplicaException;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.store.Operation;
import dev.muster.store.Transaction;
import dev.muster.types.scheduling.CpuTask;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Runs the attempts at one write until one decides it. Only one thread uses it. */
final class WriteRetryLoop {
  /**
   * The longest random pause after the first conflict that the queue cannot resolve; doubles with
   * each further conflict.
   */
  private static final long FIRST_PAUSE = Duration.ofMillis(1).toNanos();

  private static final int MOST_DOUBLINGS = 4;

  /** The shortest pause between two attempts after {@link RetryWhenChanged}. */
  private static final long LOOK_AGAIN = Duration.ofMillis(5).toNanos();

  private final StoreGateway storeGateway;
  private final PerKeyQueue turns;
  private final RandomGenerator random;
  private final Predicate<Snapshot> asksOthers;
  private final WriteConstraints terms;
  private long newEnough;
  private int losses;
  private @Nullable Deadline patience;
  private PerKeyQueue.@Nullable LinePlace turn;

  WriteRetryLoop(
      StoreGateway storeGateway,
      PerKeyQueue turns,
      RandomGenerator random,
      Predicate<Snapshot> asksOthers,
      WriteConstraints terms) {
    this.storeGateway = storeGateway;
    this.turns = turns;
    this.random = random;
    this.asksOthers = asksOthers;
    this.terms = terms;
    this.newEnough = terms.newEnough();
  }

  <T> T carryOut(WriteAttempt<T> attempt) {
    if (turns.isContended(terms.key())) {
      lineUp(terms.key());
    }
    var snapshot = storeGateway.current(terms.deadline());
    if (asksOthers.test(snapshot)) {
      snapshot = newEnough(snapshot);
    }
    while (true) {
      var warnings = new ArrayList<String>(0);
      var guards = new ArrayList<Operation>(0);
      terms.annotations().begin();
      switch (step(attempt, snapshot, guards, warnings::add)) {
        case AttemptResult.Write<T> write -> {
          var transaction = guarded(write.transaction(), guards);
          var contended = turn == null ? contended(transaction) : null;
          if (contended != null) {
            lineUp(contended);
            snapshot = storeGateway.current(terms.deadline());
            continue;
          }
          switch (commit(transaction)) {
            case Committed done -> {
              return counts(write.answer().apply(done.revision()), warnings);
            }
            case Overtaken lost -> snapshot = afterLoss(lost, transaction);
          }
        }
        case AttemptResult.Answer<T>(var answer, var stillHolds) -> {
          var newer = newEnough(snapshot);
          terms.guard().in(newer);
          if (newer == snapshot || stillHolds.test(newer)) {
            return counts(answer, warnings);
          }
          snapshot = newer;
        }
        case AttemptResult.Refusal<T>(var why) -> {
          var newer =
              why instanceof RetryWhenChanged retryWhenChanged
                  ? changed(snapshot, retryWhenChanged)
                  : newEnough(snapshot);
          if (newer == snapshot) {
            warnings.forEach(terms.warnings());
            throw why instanceof RetryWhenChanged retryWhenChanged
                ? retryWhenChanged.refusal()
                : why;
          }
          snapshot = newer;
        }
        case AttemptResult.Settled<T>(var answer) -> {
          return counts(answer, warnings);
        }
      }
    }
  }

  /** The transaction with the guards of the write added. */
  private static Transaction guarded(Transaction transaction, List<Operation> guards) {
    if (guards.isEmpty()) {
      return transaction;
    }
    var operations = new ArrayList<>(transaction.operations());
    for (var guard : guards) {
      if (transaction.operations().stream().noneMatch(one -> one.key().equals(guard.key()))) {
        operations.add(guard);
      }
    }
    return new Transaction(operations, transaction.makesRoom());
  }

  private <T> AttemptResult<T> step(
      WriteAttempt<T> attempt,
      Snapshot snapshot,
      List<Operation> guards,
      Consumer<String> warnings) {
    try (var _ = CpuTask.limited(this::checkDeadline)) {
      guards.addAll(terms.guard().in(snapshot));
      return attempt.on(snapshot, warnings);
    } catch (ApiException | ReplicaException | RetryWhenChanged refusal) {
      if (refusal instanceof ApiException late && late.reason() == Reason.TIMEOUT) {
        // After the deadline the error is final: another attempt would time out, too.
        checkDeadline();
      }
      return new AttemptResult.Refusal<>(refusal);
    }
  }

  private <T> T counts(T answer, List<String> warnings) {
    terms.annotations().keep();
    warnings.forEach(terms.warnings());
    return answer;
  }

  private CommitOutcome commit(Transaction transaction) {
    checkDeadline();
    long start = System.nanoTime();
    try {
      return storeGateway.commit(transaction, terms.deadline());
    } finally {
      terms.annotations().took(AuditAnnotations.Layer.STORE, System.nanoTime() - start);
    }
  }

  /**
   * That snapshot if it contains every write acknowledged before this one began; otherwise waits
   * for one that does.
   */
  private Snapshot newEnough(Snapshot snapshot) {
    if (newEnough == WriteConstraints.UNKNOWN) {
      newEnough = storeGateway.readIndex(terms.deadline());
    }
    return snapshot.revision() >= newEnough
        ? snapshot
        : storeGateway.shown(newEnough, terms.deadline());
  }

  /** Waits for a newer snapshot until patience ends; gives up its place in the queue first. */
  private Snapshot changed(Snapshot snapshot, RetryWhenChanged retryWhenChanged) {
    var until =
        patience == null
            ? Deadline.after(retryWhenChanged.patience()).earlier(terms.deadline())
            : patience;
    patience = until;
    leaveTurn();
    if (!until.isOver()) {
      pause(Math.min(LOOK_AGAIN, until.remainingNanos()));
      var newer = storeGateway.newer(snapshot, until.remainingNanos());
      if (newer != snapshot) {
        return newer;
      }
    }
    return newEnough(snapshot);
  }

  /** Waits for this writer's turn, and returns a snapshot that contains the conflicting write. */
  private Snapshot afterLoss(Overtaken lost, Transaction transaction) {
    checkDeadline();
    newEnough = Math.min(newEnough, lost.revision());
    var key = written(transaction, lost.keys());
    if (key != null && (turn == null || !turn.isFor(key))) {
      lineUp(key);
    } else {
      pause(random.nextLong(FIRST_PAUSE << Math.min(losses++, MOST_DOUBLINGS)));
    }
    return storeGateway.shown(lost.revision(), terms.deadline());
  }

  /**
   * The first of those keys that the transaction writes. A key that is only checked needs no turn.
   */
  private static @Nullable String written(Transaction transaction, List<String> keys) {
    for (var operation : transaction.operations()) {
      if (!(operation instanceof Operation.Check) && keys.contains(operation.key())) {
        return operation.key();
      }
    }
    return null;
  }

  /** The first key that the transaction writes and for which this server has a queue. */
  private @Nullable String contended(Transaction transaction) {
    for (var operation : transaction.operations()) {
      if (!(operation instanceof Operation.Check) && turns.isContended(operation.key())) {
        return operation.key();
      }
    }
    return null;
  }

  private static void pause(long nanos) {
    try (var _ = CpuTask.waiting()) {
      LockSupport.parkNanos(nanos);
    }
  }

  private void lineUp(String key) {
    leaveTurn();
    turn = turns.enter(key, terms.deadline());
    checkDeadline();
  }

  private void checkDeadline() {
    if (terms.deadline().isOver()) {
      throw Deadline.exceeded();
    }
  }

  void leaveTurn() {
    var held = turn;
    turn = null;
    if (held != null) {
      held.leave();
    }
  }
}
