package dev.muster.fleet.peers;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;

/** Counts failed fetches of peers' discovery documents. Thread-safe. */
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
