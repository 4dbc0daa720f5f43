package dev.muster.flowcontrol;

/**
 * The estimated seats and time of a request.
 *
 * @param initialSeats while it runs
 * @param finalSeats for {@code lingering} after the answer, for its consequences
 * @param lingering in nanoseconds
 */
public record WorkEstimate(int initialSeats, int finalSeats, long lingering) {
  public static final WorkEstimate ONE = new WorkEstimate(1, 0, 0);

  public int maxSeats() {
    return Math.max(initialSeats, finalSeats);
  }

  /** That many seats while the request runs, and none afterwards. */
  public static WorkEstimate wide(int seats) {
    return seats == 1 ? ONE : new WorkEstimate(seats, 0, 0);
  }

  /** Seat-nanoseconds, when running takes that long. */
  long total(long serviceNanos) {
    return initialSeats * serviceNanos + finalWork();
  }

  long finalWork() {
    return finalSeats * lingering;
  }

  /** The same work with at most that many seats at the end. */
  public WorkEstimate narrowedTo(int seats) {
    return finalSeats <= seats || seats < 1
        ? this
        : new WorkEstimate(initialSeats, seats, finalWork() / seats);
  }
}
