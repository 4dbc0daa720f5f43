package dev.muster.server.metrics;

import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;

/** Times the steps of the request chain before the handler. Thread-safe. */
public final class FilterMetrics {
  private final DistributionDataPoint authentication;
  private final DistributionDataPoint authorization;
  private final DistributionDataPoint fairness;

  public FilterMetrics(PrometheusRegistry registry) {
    var durations =
        Histogram.builder()
            .withoutExemplars()
            .name("apiserver_request_filter_duration_seconds")
            .help("Time that a step on the way of requests took.")
            .labelNames("filter")
            .classicOnly()
            .classicUpperBounds(
                0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 5, 10, 15, 30)
            .register(registry);
    authentication = durations.labelValues("authentication");
    authorization = durations.labelValues("authorization");
    fairness = durations.labelValues("priorityandfairness");
  }

  /** Records the time of authentication. */
  public void authenticated(long nanos) {
    authentication.observe(nanos / 1e9);
  }

  /** Records the time of authorization. */
  public void authorized(long nanos) {
    authorization.observe(nanos / 1e9);
  }

  /** Records the time that a request waited for its seats. */
  public void seated(long nanos) {
    fairness.observe(nanos / 1e9);
  }
}
