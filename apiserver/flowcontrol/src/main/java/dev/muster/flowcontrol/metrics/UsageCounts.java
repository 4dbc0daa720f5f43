package dev.muster.flowcontrol.metrics;

/**
 * How a level was used, up to one moment. Distributions are of nanoseconds; readings of the meter
 * are in seat-seconds.
 *
 * @param dispatchReading when a request that had waited was dispatched last
 * @param latestStart at which reading it was due
 * @param leastStart of the queues that were looked at for it, the least reading at which one is due
 * @param leastDiscounted without what is expected of those that ran
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
