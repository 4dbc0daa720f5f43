package dev.muster.flowcontrol;

/**
 * What a request is expected to need.
 *
 * @param initialSeats while it runs
 * @param finalSeats for {@code lingering} after it was answered, for what follows from it
 * @param lingering in nanoseconds
 */
public record WorkEstimate(int initialSeats, int finalSeats, long lingering) {
  public static final WorkEstimate ONE = new WorkEstimate(1, 0, 0);

  public int maxSeats() {
    return Math.max(initialSeats, finalSeats);
  }

  /** How wide it is while it runs, and nothing afterwards. */
  public static WorkEstimate wide(int seats) {
    return seats == 1 ? ONE : new WorkEstimate(seats, 0, 0);
  }

  /** Seats times nanoseconds, when running takes that long. */
  long total(long serviceNanos) {
    return initialSeats * serviceNanos + finalWork();
  }

  long finalWork() {
    return finalSeats * lingering;
  }

  /** The same work on no more seats at the end. */
  public WorkEstimate narrowedTo(int seats) {
    return finalSeats <= seats || seats < 1
        ? this
        : new WorkEstimate(initialSeats, seats, finalWork() / seats);
  }
}
