package dev.muster.flowcontrol.metrics;

import java.util.List;

/**
 * A level in figures, at one moment.
 *
 * @param current how many seats it has
 * @param target how many it was to have at the last adjustment
 * @param peak the most that it could have used in the last period
 * @param meter in seat-seconds
 */
public record LevelCounts(
    String name,
    int nominal,
    int least,
    int most,
    int current,
    double target,
    int peak,
    double average,
    double deviation,
    double smoothed,
    double meter,
    UsageCounts usage,
    List<FlowCounts> flows) {}
