package dev.muster.server.metrics;

import dev.muster.model.GroupResource;
import dev.muster.store.encrypted.EncryptionObserver;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.core.metrics.Info;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Metrics of encryption at rest under upstream's names. Thread-safe. The label for the server's
 * identity is empty: a server gets its identity only after it has begun to read.
 */
public final class EncryptionMetrics implements EncryptionObserver {
  private static final String NO_SERVER = "";
  private static final int MOST_KEYS = 100;

  private final InstantSource clock;
  private final Counter operations;
  private final Histogram durations;
  private final Counter misses;
  private final Histogram seeds;
  private final Histogram calls;
  private final Counter keys;
  private final Gauge keyTimes;
  private final Gauge statusTimes;
  private final Counter invalidKeys;
  private final Gauge sources;
  private final Counter reloads;
  private final Gauge reloadTimes;
  private final Info config;
  private final Map<List<String>, Boolean> keysSeen = oldestOut(this::forgetKey);
  private final Map<List<String>, Boolean> statusSeen = oldestOut(this::forgetStatus);

  public EncryptionMetrics(PrometheusRegistry registry, InstantSource clock) {
    this.clock = clock;
    operations =
        Counter.builder()
            .name("apiserver_storage_transformation_operations_total")
            .help("Values that were encrypted or decrypted, or could not be, by resource.")
            .labelNames("resource", "transformation_type", "transformer_prefix", "status")
            .register(registry);
    durations =
        histogram("apiserver_storage_transformation_duration_seconds", 5e-6, 25)
            .help("Time that it took to encrypt or decrypt a value.")
            .labelNames("transformation_type", "transformer_prefix")
            .register(registry);
    misses =
        Counter.builder()
            .name("apiserver_storage_envelope_transformation_cache_misses_total")
            .help("Values for which a KMS plug-in had to be asked.")
            .register(registry);
    seeds =
        histogram("apiserver_storage_data_key_generation_duration_seconds", 5e-6, 14)
            .help("Time that it took to make a seed of data encryption keys.")
            .register(registry);
    var failures =
        Counter.builder()
            .name("apiserver_storage_data_key_generation_failures_total")
            .help("Seeds of data encryption keys that could not be made.")
            .register(registry);
    failures.inc(0);
    calls =
        histogram("apiserver_envelope_encryption_kms_operations_latency_seconds", 0.0001, 20)
            .help("Time that calls to KMS plug-ins took, by how they ended.")
            .labelNames("provider_name", "method_name", "grpc_status_code")
            .register(registry);
    keys =
        Counter.builder()
            .name("apiserver_envelope_encryption_key_id_hash_total")
            .help("Values that were encrypted or decrypted, by the KMS key.")
            .labelNames("transformation_type", "provider_name", "key_id_hash", "apiserver_id_hash")
            .register(registry);
    keyTimes =
        Gauge.builder()
            .name("apiserver_envelope_encryption_key_id_hash_last_timestamp_seconds")
            .help("When a KMS key was last used.")
            .labelNames("transformation_type", "provider_name", "key_id_hash", "apiserver_id_hash")
            .register(registry);
    statusTimes =
        Gauge.builder()
            .name("apiserver_envelope_encryption_key_id_hash_status_last_timestamp_seconds")
            .help("When a KMS plug-in last said that this is its key.")
            .labelNames("provider_name", "key_id_hash", "apiserver_id_hash")
            .register(registry);
    invalidKeys =
        Counter.builder()
            .name("apiserver_envelope_encryption_invalid_key_id_from_status_total")
            .help("Answers of KMS plug-ins that name no valid key.")
            .labelNames("provider_name", "error")
            .register(registry);
    sources =
        Gauge.builder()
            .name("apiserver_envelope_encryption_dek_source_cache_size")
            .help("Seeds and keys that a KMS plug-in need not be asked for.")
            .labelNames("provider_name")
            .register(registry);
    reloads =
        Counter.builder()
            .name("apiserver_encryption_config_controller_automatic_reloads_total")
            .help("Changes of the encryption configuration that took effect, or could not.")
            .labelNames("status", "apiserver_id_hash")
            .register(registry);
    reloadTimes =
        Gauge.builder()
            .name("apiserver_encryption_config_controller_automatic_reload_last_timestamp_seconds")
            .help("When a change of the encryption configuration last took effect, or could not.")
            .labelNames("status", "apiserver_id_hash")
            .register(registry);
    config =
        Info.builder()
            .name("apiserver_encryption_config_controller_last_config")
            .help("The encryption configuration in force, by its hash.")
            .labelNames("apiserver_id_hash", "hash")
            .register(registry);
  }

  /** Each bound is twice the previous one. */
  private static Histogram.Builder histogram(String name, double first, int count) {
    var bounds = new double[count];
    for (int i = 0; i < count; i++) {
      bounds[i] = first * Math.pow(2, i);
    }
    return Histogram.builder().name(name).classicOnly().classicUpperBounds(bounds);
  }

  private static Map<List<String>, Boolean> oldestOut(Consumer<List<String>> gone) {
    return new LinkedHashMap<>(16, 0.75f, true) {
      @Override
      protected boolean removeEldestEntry(Map.Entry<List<String>, Boolean> eldest) {
        boolean full = size() > MOST_KEYS;
        if (full) {
          gone.accept(eldest.getKey());
        }
        return full;
      }
    };
  }

  private void forgetKey(List<String> labels) {
    keys.remove(labels.toArray(String[]::new));
    keyTimes.remove(labels.toArray(String[]::new));
  }

  private void forgetStatus(List<String> labels) {
    statusTimes.remove(labels.toArray(String[]::new));
  }

  private static String type(boolean toStorage) {
    return toStorage ? "to_storage" : "from_storage";
  }

  @Override
  public void transformed(
      GroupResource resource, boolean toStorage, String prefix, String status, long nanos) {
    operations.labelValues(resource.toString(), type(toStorage), prefix, status).inc();
    if (status.equals("OK")) {
      durations.labelValues(type(toStorage), prefix).observe(nanos / 1e9);
    }
  }

  @Override
  public void called(String provider, String method, String code, long nanos) {
    calls.labelValues(provider, method, code).observe(nanos / 1e9);
  }

  @Override
  public void keyUsed(boolean toStorage, String provider, String keyId) {
    var labels = List.of(type(toStorage), provider, hash(keyId), NO_SERVER);
    synchronized (keysSeen) {
      keysSeen.put(labels, true);
      keys.labelValues(labels.toArray(String[]::new)).inc();
      keyTimes.labelValues(labels.toArray(String[]::new)).set(now());
    }
  }

  @Override
  public void keyFromStatus(String provider, String keyId) {
    var labels = List.of(provider, hash(keyId), NO_SERVER);
    synchronized (statusSeen) {
      statusSeen.put(labels, true);
      statusTimes.labelValues(labels.toArray(String[]::new)).set(now());
    }
  }

  @Override
  public void invalidKeyId(String provider, String problem) {
    invalidKeys.labelValues(provider, problem).inc();
  }

  @Override
  public void sourcesKnown(String provider, int count) {
    sources.labelValues(provider).set(count);
  }

  @Override
  public void sourceMissed() {
    misses.inc();
  }

  @Override
  public void seedMade(long nanos) {
    seeds.observe(nanos / 1e9);
  }

  @Override
  public void inForce(String hash) {
    config.setLabelValues(NO_SERVER, hash);
  }

  @Override
  public void reloaded(boolean succeeded) {
    var status = succeeded ? "success" : "failure";
    reloads.labelValues(status, NO_SERVER).inc();
    reloadTimes.labelValues(status, NO_SERVER).set(now());
  }

  private double now() {
    return clock.millis() / 1e3;
  }

  private static String hash(String text) {
    if (text.isEmpty()) {
      return "";
    }
    try {
      var digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return "sha256:" + HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
