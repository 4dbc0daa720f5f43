package dev.muster.server.metrics;

import dev.muster.access.Decision;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;

/** Counts and times what requests may, under upstream's metric names. Safe for any thread. */
public final class PermissionMetrics {
  private static final double NANOS = 1e9;

  private final Counter attempts;
  private final Histogram durations;

  public PermissionMetrics(PrometheusRegistry registry) {
    attempts =
        Counter.builder()
            .name("authorization_attempts_total")
            .help("Requests by whether they were allowed.")
            .labelNames("result")
            .register(registry);
    durations =
        Histogram.builder()
            .name("authorization_duration_seconds")
            .help("Time to find out whether a request is allowed.")
            .labelNames("result")
            .classicOnly()
            .classicExponentialUpperBounds(0.001, 2, 15)
            .register(registry);
  }

  /** Counts the decision that a request ends up with. */
  public void decided(Decision decision, long nanos) {
    var result =
        switch (decision.outcome()) {
          case ALLOW -> "allowed";
          case DENY -> decision.error().isEmpty() ? "denied" : "error";
          case NO_OPINION -> decision.error().isEmpty() ? "no-opinion" : "error";
        };
    attempts.labelValues(result).inc();
    durations.labelValues(result).observe(nanos / NANOS);
  }
}
