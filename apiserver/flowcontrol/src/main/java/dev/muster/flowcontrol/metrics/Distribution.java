package dev.muster.flowcontrol.metrics;

/**
 * The content of a histogram.
 *
 * @param bounds the upper bounds of all buckets but the last, which has none
 * @param counts one more than bounds; not cumulative
 */
@SuppressWarnings("ArrayRecordComponent") // read by the metrics and compared by nobody
public record Distribution(double[] bounds, long[] counts, double sum) {

  /** Counts values, or how long a value lasted. Its owner guards it. */
  public static final class Recorder {
    private final double[] bounds;
    private final long[] counts;
    private double sum;

    public Recorder(double... bounds) {
      this.bounds = bounds;
      this.counts = new long[bounds.length + 1];
    }

    public void add(double value) {
      add(value, 1);
    }

    public void add(double value, long weight) {
      int bucket = 0;
      while (bucket < bounds.length && value > bounds[bucket]) {
        bucket++;
      }
      counts[bucket] += weight;
      sum += value * weight;
    }

    public Distribution copy() {
      return new Distribution(bounds, counts.clone(), sum);
    }
  }
}
