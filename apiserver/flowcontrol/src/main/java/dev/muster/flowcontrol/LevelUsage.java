package dev.muster.flowcontrol;

import dev.muster.flowcontrol.config.PriorityLevelSpec;
import dev.muster.flowcontrol.metrics.Distribution;
import dev.muster.flowcontrol.metrics.UsageCounts;

/**
 * Statistics of the use of a priority level over time. The lock of its {@link QueueSet} guards it.
 */
final class LevelUsage {
  private static final double[] REQUESTS = {0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.25, 0.5, 0.75, 1};

  private final Distribution.Recorder waiting = new Distribution.Recorder(REQUESTS);
  private final Distribution.Recorder executing = new Distribution.Recorder(REQUESTS);
  private final Distribution.Recorder seats =
      new Distribution.Recorder(0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1);
  private final Distribution.Recorder demand =
      new Distribution.Recorder(0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.7, 2, 2.8, 4, 6);
  private double seatDenominator = 1;
  private double queueDenominator = 1;
  private long dispatchReading;
  private long latestStart;
  private long leastStart;
  private long mostStart;
  private long leastDiscounted;
  private long mostDiscounted;

  void denominators(PriorityLevelSpec spec, int limit) {
    seatDenominator = Math.max(1, limit);
    var queuing = spec.queuing();
    queueDenominator =
        queuing == null ? 1 : Math.max(1, (double) queuing.queues() * queuing.lengthLimit());
  }

  void advance(long elapsed, int waits, int runs, int seatsInUse, int seatsWaiting) {
    waiting.add(waits / queueDenominator, elapsed);
    executing.add(runs / seatDenominator, elapsed);
    seats.add(seatsInUse / seatDenominator, elapsed);
    demand.add((seatsInUse + seatsWaiting) / seatDenominator, elapsed);
  }

  /**
   * Records that a queue was considered for the next request, as the first one or a further one.
   */
  void considered(long start, int seatsInUse, boolean first) {
    long discounted = start - seatsInUse * QueueSet.SERVICE_NANOS;
    leastStart = first ? start : Math.min(leastStart, start);
    mostStart = first ? start : Math.max(mostStart, start);
    leastDiscounted = first ? discounted : Math.min(leastDiscounted, discounted);
    mostDiscounted = first ? discounted : Math.max(mostDiscounted, discounted);
  }

  void dispatched(long reading, long start) {
    dispatchReading = reading;
    latestStart = start;
  }

  UsageCounts copy() {
    return new UsageCounts(
        waiting.copy(),
        executing.copy(),
        seats.copy(),
        demand.copy(),
        dispatchReading / 1e9,
        latestStart / 1e9,
        leastStart / 1e9,
        mostStart / 1e9,
        leastDiscounted / 1e9,
        mostDiscounted / 1e9);
  }
}
