package dev.muster.flowcontrol;

/**
 * The number of seats that a priority level could use, over time. The lock of its {@link QueueSet}
 * guards it.
 */
final class SeatDemand {
  /**
   * The part of the smoothed demand that remains after one adjustment; half of it after five
   * minutes.
   */
  private static final double KEPT = 0.977;

  /**
   * Statistics of the last periods.
   *
   * @param peak the largest demand of the last period
   * @param smoothed rises at once and falls slowly
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

  /** Records that the demand was unchanged for that long. */
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
