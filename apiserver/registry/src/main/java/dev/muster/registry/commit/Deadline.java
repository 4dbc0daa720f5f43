package dev.muster.registry.commit;

import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.model.status.StatusDetails;
import java.time.Duration;

/**
 * The moment by which a request must be answered.
 *
 * @param nanoTime on the clock of {@link System#nanoTime}
 */
public record Deadline(long nanoTime) {

  public static Deadline after(Duration duration) {
    return new Deadline(System.nanoTime() + duration.toNanos());
  }

  /** The earlier of the two deadlines. */
  public Deadline earlier(Deadline other) {
    return nanoTime - other.nanoTime <= 0 ? this : other;
  }

  /** The remaining time, at least 0. */
  public long remainingNanos() {
    return Math.max(0, nanoTime - System.nanoTime());
  }

  public boolean isOver() {
    return remainingNanos() == 0;
  }

  /** The error response for a request that timed out without changing anything. */
  public static ApiException exceeded() {
    return new ApiException(
        Reason.TIMEOUT,
        "Timeout: request did not complete within requested timeout - context deadline exceeded",
        StatusDetails.NONE);
  }
}
