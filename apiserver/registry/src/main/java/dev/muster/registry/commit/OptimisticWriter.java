package dev.muster.registry.commit;

import dev.muster.replica.snapshot.Snapshot;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * Carries out every write: runs an attempt on a snapshot, commits its transaction, and runs another
 * attempt on a newer snapshot when another write came first. Its methods block and run on virtual
 * threads. Thread-safe.
 *
 * <p>Guarantees:
 *
 * <ul>
 *   <li>A write that is refused, or answered without a commit, was decided on a snapshot that
 *       contains every write acknowledged by any API server before it began. A write whose first
 *       attempt commits needs no read index, unless its attempts call webhooks.
 *   <li>A conflict is never an error: the writer retries until the deadline.
 *   <li>Writers of this server that contend for a key run in the order of their arrival. Against
 *       writers of other servers, a writer retries after a short random pause.
 *   <li>Only the warnings of the deciding attempt reach the client.
 * </ul>
 */
public final class OptimisticWriter {
  private final StoreGateway storeGateway;
  private final RandomGenerator random;
  private final Predicate<Snapshot> asksOthers;
  private final PerKeyQueue turns = new PerKeyQueue();

  public OptimisticWriter(StoreGateway storeGateway, RandomGenerator random) {
    this(storeGateway, random, snapshot -> false);
  }

  /**
   * @param asksOthers whether attempts on that snapshot may call external components such as
   *     webhooks. Such attempts run only on a snapshot that is new enough, so that no call is
   *     wasted
   */
  public OptimisticWriter(
      StoreGateway storeGateway, RandomGenerator random, Predicate<Snapshot> asksOthers) {
    this.storeGateway = storeGateway;
    this.random = random;
    this.asksOthers = asksOthers;
  }

  public StoreGateway commits() {
    return storeGateway;
  }

  /**
   * @throws dev.muster.model.status.ApiException when the write is refused or the store is
   *     unavailable; Timeout when the deadline passes
   */
  public <T> T carryOut(WriteConstraints terms, WriteAttempt<T> attempt) {
    var run = new WriteRetryLoop(storeGateway, turns, random, asksOthers, terms);
    try {
      return run.carryOut(attempt);
    } finally {
      run.leaveTurn();
    }
  }
}
