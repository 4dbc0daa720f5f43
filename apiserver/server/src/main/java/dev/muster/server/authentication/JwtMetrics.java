package dev.muster.server.authentication;

import dev.muster.authentication.jwt.JwtObserver;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Measures the authentication of issuers' tokens, and exports hashes of their key sets.
 * Thread-safe.
 */
public final class JwtMetrics implements JwtObserver {
  private static final String NAME = "apiserver_authentication_jwt_authenticator_";

  private final Histogram latency;
  private final Gauge fetched;
  private final InstantSource clock;
  private final String server;
  private final Map<String, String> keySets = new ConcurrentHashMap<>();

  /**
   * @param server its ID, which the metrics show as a hash only
   */
  public JwtMetrics(PrometheusRegistry registry, InstantSource clock, String server) {
    this.clock = clock;
    this.server = Hashes.of(server);
    this.latency =
        Histogram.builder()
            .name(NAME + "latency_seconds")
            .help("Time to find out whose a token is that is not remembered.")
            .labelNames("result", "jwt_issuer_hash")
            .classicOnly()
            .classicUpperBounds(.001, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10)
            .register(registry);
    this.fetched =
        Gauge.builder()
            .name(NAME + "jwks_fetch_last_timestamp_seconds")
            .help("When the keys of an issuer were last fetched.")
            .labelNames("result", "jwt_issuer_hash", "apiserver_id_hash")
            .register(registry);
    GaugeWithCallback.builder()
        .name(NAME + "jwks_fetch_last_key_set_info")
        .help("The hash of the keys that were last fetched of an issuer.")
        .labelNames("jwt_issuer_hash", "apiserver_id_hash", "hash")
        .callback(
            gauge -> keySets.forEach((issuer, hash) -> gauge.call(1, issuer, this.server, hash)))
        .register(registry);
  }

  @Override
  public void judged(String issuer, boolean good, Duration time) {
    latency
        .labelValues(good ? "success" : "failure", Hashes.of(issuer))
        .observe(time.toNanos() / 1e9);
  }

  @Override
  public void fetchedKeys(String issuer, byte[] keySet) {
    keySets.put(Hashes.of(issuer), Hashes.of(keySet));
    fetchedNow("success", issuer);
  }

  @Override
  public void failedToFetchKeys(String issuer) {
    fetchedNow("failure", issuer);
  }

  private void fetchedNow(String result, String issuer) {
    fetched.labelValues(result, Hashes.of(issuer), server).set(clock.millis() / 1e3);
  }
}
