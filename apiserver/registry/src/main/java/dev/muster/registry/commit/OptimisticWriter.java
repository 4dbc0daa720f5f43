package dev.muster.registry.commit;

import dev.muster.replica.snapshot.Snapshot;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * Safe for any thread. Carries out every write, whoever sends it: shows an attempt the cluster,
 * commits what it wants, and lets it try again on a newer snapshot when somebody else was faster.
 * Blocks; called on virtual threads.
 *
 * <p>Guarantees:
 *
 * <ul>
 *   <li>A write that is refused, or answered without a commit, was judged on a snapshot at least as
 *       new as everything acknowledged before it began, through any server. What succeeds on the
 *       snapshot at hand costs no question to the store.
 *   <li>Contention is never an error: a write goes on until its deadline.
 *   <li>Writers of this server that contend for a key take turns in the order of their arrival;
 *       against those of other servers they try again after a short while that chance decides.
 *   <li>Only the attempt that counts is heard: warnings of others are dropped.
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
   * @param asksOthers whether attempts on that snapshot may ask somebody elsewhere, such as a
   *     webhook: those are made only on a snapshot that is new enough for whatever comes of them,
   *     so that nobody is asked in vain
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
   * @throws dev.muster.model.status.ApiException when it is refused, when the store cannot be
   *     asked, and Timeout when it could not be carried out in time
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
