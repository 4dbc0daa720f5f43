package dev.muster.flowcontrol.metrics;

/**
 * Statistics of the use of a priority level. Distributions are in nanoseconds, meter readings in
 * seat-seconds.
 *
 * @param dispatchReading the meter reading when a waiting request was last dispatched
 * @param latestStart the reading at which that request was due
 * @param leastStart the smallest reading at which a request of the considered queues was due
 * @param leastDiscounted the same without the expected cost of running requests
 */
public record UsageCounts(
    Distribution waiting,
    Distribution executing,
    Distribution seats,
    Distribution demand,
    double dispatchReading,
    double latestStart,
    double leastStart,
    double mostStart,
    double leastDiscounted,
    double mostDiscounted) {}
