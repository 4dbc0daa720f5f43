package dev.muster.server.metrics;

import dev.muster.authorization.Decision;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Counts and times authorization under upstream's metric names. Thread-safe. */
public final class PermissionMetrics {
  /** The metrics of one result. */
  private record Figures(CounterDataPoint count, DistributionDataPoint durations) {}

  private final Counter attempts;
  private final Histogram durations;
  private final Map<String, Figures> results = new ConcurrentHashMap<>();

  public PermissionMetrics(PrometheusRegistry registry) {
    attempts =
        Counter.builder()
            .withoutExemplars()
            .name("authorization_attempts_total")
            .help("Requests by whether they were allowed.")
            .labelNames("result")
            .register(registry);
    durations =
        Histogram.builder()
            .withoutExemplars()
            .name("authorization_duration_seconds")
            .help("Time to find out whether a request is allowed.")
            .labelNames("result")
            .classicOnly()
            .classicExponentialUpperBounds(0.001, 2, 15)
            .register(registry);
  }

  /** Counts the final decision about a request. */
  public void decided(Decision decision, long nanos) {
    var result =
        switch (decision.outcome()) {
          case ALLOW -> "allowed";
          case DENY -> decision.error().isEmpty() ? "denied" : "error";
          case NO_OPINION -> decision.error().isEmpty() ? "no-opinion" : "error";
        };
    var figures = results.get(result);
    if (figures == null) {
      figures = results.computeIfAbsent(result, this::figures);
    }
    figures.count().inc();
    figures.durations().observe(nanos / 1e9);
  }

  private Figures figures(String result) {
    return new Figures(attempts.labelValues(result), durations.labelValues(result));
  }
}
