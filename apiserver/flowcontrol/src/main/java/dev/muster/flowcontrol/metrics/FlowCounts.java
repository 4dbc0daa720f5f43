package dev.muster.flowcontrol.metrics;

import java.util.Map;

/**
 * Statistics of the requests of one FlowSchema at one priority level.
 *
 * @param noAccommodation how often the next request in order found too few seats
 */
public record FlowCounts(
    String schema,
    Map<FlowRefusal, Long> refused,
    long dispatched,
    long noAccommodation,
    int waiting,
    int seatsWaiting,
    int executing,
    int seatsExecuting,
    Distribution queueLengths,
    Distribution waitsToExecution,
    Distribution waitsToRefusal,
    Distribution executions,
    Distribution watchExecutions,
    Distribution seats,
    Distribution watchers) {}
