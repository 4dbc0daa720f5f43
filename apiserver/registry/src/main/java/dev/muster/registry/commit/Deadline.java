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

  /** This moment or the other, whichever comes first. */
  public Deadline earlier(Deadline other) {
    return nanoTime - other.nanoTime <= 0 ? this : other;
  }

  /** What is left, never less than nothing. */
  public long remainingNanos() {
    return Math.max(0, nanoTime - System.nanoTime());
  }

  public boolean isOver() {
    return remainingNanos() == 0;
  }

  /** The answer to a request that could not be carried out in time and has changed nothing. */
  public static ApiException exceeded() {
    return new ApiException(
        Reason.TIMEOUT,
        "Timeout: request did not complete within requested timeout - context deadline exceeded",
        StatusDetails.NONE);
  }
}
