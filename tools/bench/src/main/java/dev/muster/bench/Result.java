package dev.muster.bench;

import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * What one scenario measured. Latencies are in nanoseconds; "requests" are deliveries where watches
 * are measured and starts where starts are.
 */
public record Result(
    String scenario,
    String title,
    long requests,
    long errors,
    @Nullable String firstError,
    double seconds,
    Histogram latency,
    OptionalDouble cpuMicrosPerRequest,
    OptionalLong residentBytes) {

  public double requestsPerSecond() {
    return seconds == 0 ? 0 : requests / seconds;
  }

  public double millis(double percentile) {
    return latency.getTotalCount() == 0
        ? 0
        : latency.getValueAtPercentile(percentile) / 1_000_000.0;
  }
}
