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
public final class WriteAttempts {
  private final Commits commits;
  private final RandomGenerator random;
  private final Predicate<Snapshot> asksOthers;
  private final WriteTurns turns = new WriteTurns();

  public WriteAttempts(Commits commits, RandomGenerator random) {
    this(commits, random, snapshot -> false);
  }

  /**
   * @param asksOthers whether attempts on that snapshot may ask somebody elsewhere, such as a
   *     webhook: those are made only on a snapshot that is new enough for whatever comes of them,
   *     so that nobody is asked in vain
   */
  public WriteAttempts(Commits commits, RandomGenerator random, Predicate<Snapshot> asksOthers) {
    this.commits = commits;
    this.random = random;
    this.asksOthers = asksOthers;
  }

  public Commits commits() {
    return commits;
  }

  /**
   * @throws dev.muster.model.status.ApiException when it is refused, when the store cannot be
   *     asked, and Timeout when it could not be carried out in time
   */
  public <T> T carryOut(WriteTerms terms, WriteAttempt<T> attempt) {
    var run = new WriteRun(commits, turns, random, asksOthers, terms);
    try {
      return run.carryOut(attempt);
    } finally {
      run.leaveTurn();
    }
  }
}
