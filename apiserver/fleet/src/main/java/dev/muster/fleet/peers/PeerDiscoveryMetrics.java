package dev.muster.fleet.peers;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;

/** Counts failures to learn what others serve. Safe for any thread. */
final class PeerDiscoveryMetrics {
  private final Counter errors;

  PeerDiscoveryMetrics(PrometheusRegistry registry) {
    errors =
        Counter.builder()
            .name("apiserver_peer_discovery_sync_errors_total")
            .help("Failures to learn what another server of the fleet serves.")
            .labelNames("type")
            .register(registry);
  }

  void failed() {
    errors.labelValues("fetch_discovery").inc();
  }
}
