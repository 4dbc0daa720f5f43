package dev.muster.server.metrics;

import dev.muster.authentication.TokenLookupObserver;
import dev.muster.authentication.token.TokenUseObserver;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;

/** Counts token authentication under upstream's metric names. Thread-safe. */
public final class TokenMetrics implements TokenUseObserver, TokenLookupObserver {
  private static final double[] SECONDS = {.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10};
  private static final double NANOS = 1e9;
  private static final String ACCOUNTS = "serviceaccount_";
  private static final String CACHE = "authentication_token_cache_";

  private final Counter legacy;
  private final Counter generated;
  private final Counter manual;
  private final Counter invalid;
  private final Counter stale;
  private final Counter valid;
  private final Counter requests;
  private final Histogram durations;
  private final Counter fetches;
  private final Gauge active;

  public TokenMetrics(PrometheusRegistry registry) {
    legacy = counter(registry, ACCOUNTS + "legacy_tokens_total", "Uses of tokens in secrets.");
    generated =
        counter(
            registry,
            ACCOUNTS + "legacy_auto_token_uses_total",
            "Uses of tokens in secrets that were made for every account.");
    manual =
        counter(
            registry,
            ACCOUNTS + "legacy_manual_token_uses_total",
            "Uses of tokens in secrets that somebody has made.");
    invalid =
        counter(
            registry,
            ACCOUNTS + "invalid_legacy_auto_token_uses_total",
            "Uses of tokens in secrets that do not count any more.");
    stale =
        counter(
            registry,
            ACCOUNTS + "stale_tokens_total",
            "Uses of tokens that should have been renewed.");
    valid =
        counter(
            registry,
            ACCOUNTS + "valid_tokens_total",
            "Uses of tokens that are good for longer than they should be kept, in their time.");
    requests =
        counter(
            registry,
            CACHE + "request_total",
            "Tokens that somebody else knows, by whether he had to be asked.",
            "status");
    durations =
        Histogram.builder()
            .name(CACHE + "request_duration_seconds")
            .help("Time until it was known whose such a token is.")
            .labelNames("status")
            .classicOnly()
            .classicUpperBounds(SECONDS)
            .register(registry);
    fetches =
        counter(registry, CACHE + "fetch_total", "Questions about tokens to others.", "status");
    active =
        Gauge.builder()
            .name(CACHE + "active_fetch_count")
            .help("Questions about tokens that are under way, and who waits for another's.")
            .labelNames("status")
            .register(registry);
  }

  private static Counter counter(
      PrometheusRegistry registry, String name, String help, String... labels) {
    var counter = Counter.builder().name(name).help(help).labelNames(labels).register(registry);
    if (labels.length == 0) {
      counter.initLabelValues();
    }
    return counter;
  }

  @Override
  public void projected(boolean isStale) {
    (isStale ? stale : valid).inc();
  }

  @Override
  public void legacy(boolean isGenerated) {
    legacy.inc();
    (isGenerated ? generated : manual).inc();
  }

  @Override
  public void invalidated() {
    invalid.inc();
  }

  @Override
  public void answered(boolean remembered, long nanos) {
    var status = remembered ? "hit" : "miss";
    requests.labelValues(status).inc();
    durations.labelValues(status).observe(nanos / NANOS);
  }

  @Override
  public void waiting(boolean begins) {
    active.labelValues("blocked").inc(begins ? 1 : -1);
  }

  @Override
  public void asking() {
    active.labelValues("in_flight").inc();
  }

  @Override
  public void asked(boolean isAnswered) {
    active.labelValues("in_flight").dec();
    fetches.labelValues(isAnswered ? "ok" : "error").inc();
  }
}
