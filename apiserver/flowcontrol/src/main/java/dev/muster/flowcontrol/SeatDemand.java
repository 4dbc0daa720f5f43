package dev.muster.flowcontrol;

/** How many seats a level could use, over time. Guarded by the lock of its {@link QueueSet}. */
final class SeatDemand {
  /** So much of the smoothed demand is left after one adjustment; half of it after five minutes. */
  private static final double KEPT = 0.977;

  /**
   * What the last periods were like.
   *
   * @param peak the most of the last period
   * @param smoothed falls slowly and rises at once
   */
  record Summary(int peak, double average, double deviation, double smoothed) {
    static final Summary NONE = new Summary(0, 0, 0, 0);
  }

  private double seconds;
  private double sum;
  private double squares;
  private int seats;
  private int peak;
  private Summary last = Summary.NONE;

  /** It was as it is for so long. */
  void advance(long elapsedNanos) {
    double elapsed = elapsedNanos / 1e9;
    seconds += elapsed;
    sum += seats * elapsed;
    squares += (double) seats * seats * elapsed;
  }

  void set(int wanted) {
    seats = wanted;
    peak = Math.max(peak, wanted);
  }

  /** Ends a period and begins the next. */
  Summary endPeriod() {
    if (seconds > 0) {
      double average = sum / seconds;
      double deviation = Math.sqrt(Math.max(0, squares / seconds - average * average));
      double envelope = average + deviation;
      double smoothed = Math.max(envelope, KEPT * last.smoothed + (1 - KEPT) * envelope);
      last = new Summary(peak, average, deviation, smoothed);
    } else {
      last = new Summary(peak, last.average, last.deviation, last.smoothed);
    }
    seconds = 0;
    sum = 0;
    squares = 0;
    peak = seats;
    return last;
  }

  Summary last() {
    return last;
  }
}
