package dev.muster.server.peers;

import dev.muster.model.GroupVersionResource;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;

/** Counts requests that are forwarded to peers. Thread-safe. */
public final class PeerMetrics {
  private final Counter passed;
  private final Counter errors;

  public PeerMetrics(PrometheusRegistry registry) {
    passed =
        Counter.builder()
            .name("apiserver_rerouted_request_total")
            .help("Requests that another server of the fleet answered.")
            .labelNames("code", "group", "version", "resource")
            .register(registry);
    errors =
        Counter.builder()
            .name("apiserver_peer_proxy_errors_total")
            .help("Requests that could not be passed on to another server of the fleet.")
            .labelNames("type", "group", "version", "resource")
            .register(registry);
  }

  void passed(GroupVersionResource resource, int status) {
    passed
        .labelValues(
            Integer.toString(status), resource.group(), resource.version(), resource.resource())
        .inc();
  }

  /** No address of a peer that serves the resource is known. */
  void unresolved(GroupVersionResource resource) {
    failed("endpoint_resolution", resource);
  }

  void unreached(GroupVersionResource resource) {
    failed("proxy_transport", resource);
  }

  private void failed(String type, GroupVersionResource resource) {
    errors.labelValues(type, resource.group(), resource.version(), resource.resource()).inc();
  }
}
