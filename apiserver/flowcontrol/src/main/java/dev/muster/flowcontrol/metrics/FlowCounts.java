package dev.muster.flowcontrol.metrics;

import java.util.Map;

/**
 * What became of the requests of one schema at one level, up to one moment.
 *
 * @param noAccommodation how often a request whose turn it was found too few seats
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
