package dev.muster.flowcontrol;

import dev.muster.flowcontrol.metrics.Distribution;
import dev.muster.flowcontrol.metrics.FlowCounts;
import dev.muster.flowcontrol.metrics.FlowRefusal;
import java.util.EnumMap;
import java.util.Map;

/**
 * Statistics of the requests of one FlowSchema at one level. The lock of the level's {@link
 * QueueSet} guards it; copies are free to use.
 */
final class FlowStats {
  private static final double[] SECONDS = {
    0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30
  };

  final Map<FlowRefusal, Long> refused = new EnumMap<>(FlowRefusal.class);
  long dispatched;
  long noAccommodation;
  int waiting;
  int seatsWaiting;
  int executing;
  int seatsExecuting;
  final Distribution.Recorder queueLengths =
      new Distribution.Recorder(0, 10, 25, 50, 100, 250, 500, 1000);
  final Distribution.Recorder waitsToExecution = new Distribution.Recorder(SECONDS);
  final Distribution.Recorder waitsToRefusal = new Distribution.Recorder(SECONDS);
  final Distribution.Recorder executions = new Distribution.Recorder(SECONDS);
  final Distribution.Recorder watchExecutions = new Distribution.Recorder(SECONDS);
  final Distribution.Recorder seats = new Distribution.Recorder(1, 2, 4, 8, 16, 32, 64, 100);
  final Distribution.Recorder watchers = new Distribution.Recorder(0, 1, 10, 100, 1000, 10000);

  FlowCounts copy(String schema) {
    return new FlowCounts(
        schema,
        Map.copyOf(refused),
        dispatched,
        noAccommodation,
        waiting,
        seatsWaiting,
        executing,
        seatsExecuting,
        queueLengths.copy(),
        waitsToExecution.copy(),
        waitsToRefusal.copy(),
        executions.copy(),
        watchExecutions.copy(),
        seats.copy(),
        watchers.copy());
  }
}
