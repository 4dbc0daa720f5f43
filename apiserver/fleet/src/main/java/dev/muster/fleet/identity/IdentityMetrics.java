package dev.muster.fleet.identity;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** Metrics of the heartbeat. Thread-safe. */
final class IdentityMetrics {
  private final Histogram duration;
  private final Counter failures;
  private volatile @Nullable Instant renewed;

  IdentityMetrics(PrometheusRegistry registry, ServerIdentity identity, InstantSource clock) {
    this.duration =
        Histogram.builder()
            .name("apiserver_identity_lease_heartbeat_duration_seconds")
            .help("Time that one heartbeat of this server's identity Lease took.")
            .labelNames("result")
            .classicOnly()
            .classicUpperBounds(0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
            .register(registry);
    this.failures =
        Counter.builder()
            .name("apiserver_identity_lease_heartbeat_failures_total")
            .help("Heartbeats of this server's identity Lease that failed.")
            .register(registry);
    GaugeWithCallback.builder()
        .name("apiserver_identity_lease_age_seconds")
        .help("Time since this server's identity Lease was last renewed; absent before the first.")
        .callback(
            age -> {
              var last = renewed;
              if (last != null) {
                age.call(Duration.between(last, clock.instant()).toMillis() / 1000.0);
              }
            })
        .register(registry);
    GaugeWithCallback.builder()
        .name("apiserver_identity_info")
        .help("The ID of this server, with the value 1.")
        .labelNames("apiserver_id")
        .callback(info -> info.call(1, identity.id().toString()))
        .register(registry);
  }

  void succeeded(Duration time, Instant at) {
    duration.labelValues("success").observe(time.toNanos() / 1e9);
    renewed = at;
  }

  void failed(Duration time) {
    duration.labelValues("failure").observe(time.toNanos() / 1e9);
    failures.inc();
  }
}
