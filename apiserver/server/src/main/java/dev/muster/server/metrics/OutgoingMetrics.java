package dev.muster.server.metrics;

import dev.muster.http.limits.HttpCounters;
import dev.muster.http.limits.OutgoingBudget;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;

/** Metrics of data that waits to be sent, and of connections that failed or were rejected. */
public final class OutgoingMetrics {
  private OutgoingMetrics() {}

  public static void register(
      OutgoingBudget outgoing, HttpCounters counters, PrometheusRegistry registry) {
    CounterWithCallback.builder()
        .name("apiserver_tls_handshake_errors_total")
        .help("TLS handshakes that failed.")
        .callback(counter -> counter.call((double) counters.tlsErrors.sum()))
        .register(registry);
    GaugeWithCallback.builder()
        .name("muster_outgoing_bytes")
        .help("Bytes of answers that wait to be sent or are being made: now, and at the most.")
        .labelNames("which")
        .callback(
            gauge -> {
              gauge.call((double) outgoing.taken(), "now");
              gauge.call((double) outgoing.most(), "most");
              gauge.call((double) outgoing.limit(), "limit");
            })
        .register(registry);
    GaugeWithCallback.builder()
        .name("muster_outgoing_waiting")
        .help("Answers and parts of them that wait for room before they are made.")
        .callback(gauge -> gauge.call(outgoing.waiting()))
        .register(registry);
  }
}
