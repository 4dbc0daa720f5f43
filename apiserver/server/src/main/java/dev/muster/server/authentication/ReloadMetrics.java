package dev.muster.server.authentication;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.InstantSource;

/** Counts reloads of the authentication configuration file. Thread-safe. */
public final class ReloadMetrics {
  private static final String NAME = "apiserver_authentication_config_controller_";

  private final Counter reloads;
  private final Gauge last;
  private final InstantSource clock;
  private final String server;
  private volatile String applied = "";

  /**
   * @param server its ID, which the metrics show as a hash only
   */
  public ReloadMetrics(PrometheusRegistry registry, InstantSource clock, String server) {
    this.clock = clock;
    this.server = Hashes.of(server);
    this.reloads =
        Counter.builder()
            .name(NAME + "automatic_reloads_total")
            .help("How often the authentication configuration was read again, by what came of it.")
            .labelNames("status", "apiserver_id_hash")
            .register(registry);
    this.last =
        Gauge.builder()
            .name(NAME + "automatic_reload_last_timestamp_seconds")
            .help("When the authentication configuration was last read again.")
            .labelNames("status", "apiserver_id_hash")
            .register(registry);
    GaugeWithCallback.builder()
        .name(NAME + "last_config_info")
        .help("The hash of the authentication configuration that counts.")
        .labelNames("apiserver_id_hash", "hash")
        .callback(
            gauge -> {
              if (!applied.isEmpty()) {
                gauge.call(1, this.server, applied);
              }
            })
        .register(registry);
  }

  /** Records the configuration that is in effect from the start. */
  void applied(byte[] content) {
    applied = Hashes.of(content);
  }

  void reloaded(byte[] content) {
    applied(content);
    count("success");
  }

  void failed() {
    count("failure");
  }

  private void count(String status) {
    reloads.labelValues(status, server).inc();
    last.labelValues(status, server).set(clock.millis() / 1e3);
  }
}
