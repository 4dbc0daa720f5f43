package dev.muster.registry.commit;

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
  private final WriteTurns turns = new WriteTurns();

  public WriteAttempts(Commits commits, RandomGenerator random) {
    this.commits = commits;
    this.random = random;
  }

  public Commits commits() {
    return commits;
  }

  /**
   * @throws dev.muster.model.status.ApiException when it is refused, when the store cannot be
   *     asked, and Timeout when it could not be carried out in time
   */
  public <T> T carryOut(WriteTerms terms, WriteAttempt<T> attempt) {
    var run = new WriteRun(commits, turns, random, terms);
    try {
      return run.carryOut(attempt);
    } finally {
      run.leaveTurn();
    }
  }
}
