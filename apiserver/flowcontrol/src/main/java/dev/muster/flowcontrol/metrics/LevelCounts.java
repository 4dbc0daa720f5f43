package dev.muster.flowcontrol.metrics;

import java.util.List;

/**
 * Statistics of a priority level at one moment.
 *
 * @param current its current seats
 * @param target the seats that the last adjustment aimed at
 * @param peak its largest demand in the last period
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
