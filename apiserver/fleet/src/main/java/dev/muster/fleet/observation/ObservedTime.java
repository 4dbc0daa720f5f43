package dev.muster.fleet.observation;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Measures the time in which this server would have seen the writes of others: between moments at
 * which its replica was known to be up to date. One thread uses it.
 *
 * <p>Time does not count while the store is unavailable, the connection is silent or this process
 * is paused, however late that is noticed. After more than a few such seconds, the silence of
 * others proves nothing, and each gets a whole period again.
 */
public final class ObservedTime {
  private static final Duration LONGEST_STEP = Duration.ofSeconds(2);
  private static final Duration LONGEST_GAP = Duration.ofSeconds(5);

  /**
   * The result of one step.
   *
   * @param counted time that counts as silence of others
   * @param interrupted whether this is the first step, or the first one after a long interruption
   */
  public record Step(Duration counted, boolean interrupted) {}

  private final Duration longestStep;
  private final Duration longestGap;
  private @Nullable Duration last;

  public ObservedTime() {
    this(LONGEST_STEP, LONGEST_GAP);
  }

  /**
   * @param longestStep how much of the time between two such moments counts at most
   * @param longestGap how far apart they may be
   */
  public ObservedTime(Duration longestStep, Duration longestGap) {
    this.longestStep = longestStep;
    this.longestGap = longestGap;
  }

  /**
   * Advances to the next step.
   *
   * @param upToDate the last moment at which the replica was known to be up to date, by a monotonic
   *     clock
   */
  public Step advance(Duration upToDate) {
    var before = last;
    last = upToDate;
    if (before == null) {
      return new Step(Duration.ZERO, true);
    }
    var elapsed = upToDate.minus(before);
    return new Step(
        elapsed.compareTo(longestStep) < 0 ? elapsed : longestStep,
        elapsed.compareTo(longestGap) > 0);
  }
}
