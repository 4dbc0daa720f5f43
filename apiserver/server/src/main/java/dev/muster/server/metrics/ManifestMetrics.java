package dev.muster.server.metrics;

import dev.muster.admission.manifest.ManifestPlugin;
import dev.muster.admission.manifest.StaticManifests;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.UUID;

/** Counts reloads of admission manifests under upstream's metric names. Thread-safe. */
public final class ManifestMetrics implements StaticManifests.Observer {
  private static final String PREFIX = "apiserver_manifest_admission_config_controller_";

  private final String serverId = sha256(UUID.randomUUID().toString());
  private final InstantSource clock;
  private final Counter reloads;
  private final Gauge lastReload;
  private final Gauge lastConfig;
  private final Map<ManifestPlugin, String> hashes = new EnumMap<>(ManifestPlugin.class);

  public ManifestMetrics(PrometheusRegistry registry, InstantSource clock) {
    this.clock = clock;
    reloads =
        Counter.builder()
            .name(PREFIX + "automatic_reloads_total")
            .help("Changes of admission manifests, by whether they could be used.")
            .labelNames("status", "plugin", "apiserver_id_hash")
            .register(registry);
    lastReload =
        Gauge.builder()
            .name(PREFIX + "automatic_reload_last_timestamp_seconds")
            .help("When admission manifests changed last, by whether they could be used.")
            .labelNames("status", "plugin", "apiserver_id_hash")
            .register(registry);
    lastConfig =
        Gauge.builder()
            .name(PREFIX + "last_config_info")
            .help("The hash of the admission manifests in use.")
            .labelNames("plugin", "apiserver_id_hash", "hash")
            .register(registry);
  }

  @Override
  public synchronized void loaded(ManifestPlugin plugin, String hash) {
    happened("success", plugin);
    var before = hashes.put(plugin, hash);
    if (before != null) {
      lastConfig.remove(plugin.pluginName(), serverId, before);
    }
    lastConfig.labelValues(plugin.pluginName(), serverId, hash).set(1);
  }

  @Override
  public void failed(ManifestPlugin plugin) {
    happened("failure", plugin);
  }

  private void happened(String status, ManifestPlugin plugin) {
    reloads.labelValues(status, plugin.pluginName(), serverId).inc();
    lastReload
        .labelValues(status, plugin.pluginName(), serverId)
        .set(clock.instant().toEpochMilli() / 1000.0);
  }

  private static String sha256(String text) {
    try {
      var digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return "sha256:" + HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
