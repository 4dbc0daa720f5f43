package dev.muster.fleet.observation;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One thread owns it. The time in which this server would have seen what others write: from one
 * moment at which its replica was known to hold all that the store has, to the next such moment.
 *
 * <p>A store that stands still, a connection that is silent and a pause of this process are not
 * observed time, however late they are noticed. After more than a few seconds of them nobody's
 * silence means anything, and everybody gets a whole period again.
 */
public final class ObservedTime {
  private static final Duration LONGEST_STEP = Duration.ofSeconds(2);
  private static final Duration LONGEST_GAP = Duration.ofSeconds(5);

  /**
   * What one more look adds.
   *
   * @param counted time that counts against those who stayed silent
   * @param interrupted whether this is the first look, or the first one after too long
   */
  public record Step(Duration counted, boolean interrupted) {}

  private final Duration longestStep;
  private final Duration longestGap;
  private @Nullable Duration last;

  public ObservedTime() {
    this(LONGEST_STEP, LONGEST_GAP);
  }

  /**
   * @param longestStep how much of the time between two such moments counts at the most
   * @param longestGap how far apart they may be
   */
  public ObservedTime(Duration longestStep, Duration longestGap) {
    this.longestStep = longestStep;
    this.longestGap = longestGap;
  }

  /**
   * Looks again.
   *
   * @param upToDate the last moment at which the replica was known to hold everything, by a clock
   *     that never goes back
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
