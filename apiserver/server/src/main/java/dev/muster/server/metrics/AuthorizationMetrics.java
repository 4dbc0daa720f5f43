package dev.muster.server.metrics;

import dev.muster.authorization.modes.AuthorizationObserver;
import dev.muster.authorization.modes.AuthorizerType;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Locale;
import java.util.UUID;

/** Counts the results of authorizers under upstream's metric names. Thread-safe. */
public final class AuthorizationMetrics implements AuthorizationObserver {
  private static final double[] SECONDS = {.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10};
  private static final double[] CONDITION_SECONDS = {.001, .005, .01, .025, .1, .2, .25};
  private static final double NANOS = 1e9;
  private static final String WEBHOOK = AuthorizerType.WEBHOOK.spelling();

  private final String serverId =
      sha256(UUID.randomUUID().toString().getBytes(StandardCharsets.UTF_8));
  private final InstantSource clock;
  private final Counter decisions;
  private final Counter evaluations;
  private final Histogram durations;
  private final Counter failedOpen;
  private final Counter conditionErrors;
  private final Counter conditionExclusions;
  private final Histogram conditionSeconds;
  private final Counter reloads;
  private final Gauge lastReload;
  private final Gauge lastConfig;

  public AuthorizationMetrics(PrometheusRegistry registry, InstantSource clock) {
    this.clock = clock;
    decisions =
        counter(
            registry,
            "decisions_total",
            "What authorizers decided, by their type and name; no opinion does not count.",
            "type",
            "name",
            "decision");
    evaluations =
        counter(
            registry,
            "webhook_evaluations_total",
            "Questions to authorization webhooks, by what came of them.",
            "name",
            "result");
    durations =
        histogram(
            registry,
            "webhook_duration_seconds",
            "Time until an authorization webhook had answered.",
            SECONDS,
            "name",
            "result");
    failedOpen =
        counter(
            registry,
            "webhook_evaluations_fail_open_total",
            "Requests that others decided because a webhook could not be asked.",
            "name",
            "result");
    conditionErrors =
        counter(
            registry,
            "match_condition_evaluation_errors_total",
            "Requests for which the conditions of a webhook could not be evaluated.",
            "type",
            "name");
    conditionExclusions =
        counter(
            registry,
            "match_condition_exclusions_total",
            "Requests about which a webhook was not asked because of its conditions.",
            "type",
            "name");
    conditionSeconds =
        histogram(
            registry,
            "match_condition_evaluation_seconds",
            "Time that the conditions of a webhook took.",
            CONDITION_SECONDS,
            "type",
            "name");
    reloads =
        counter(
            registry,
            "config_controller_automatic_reloads_total",
            "Changes of the authorization configuration, by whether they could be used.",
            "status",
            "apiserver_id_hash");
    lastReload =
        Gauge.builder()
            .name(
                "apiserver_authorization_config_controller_automatic_reload_last_timestamp_seconds")
            .help("When the authorization configuration changed last, by whether it could be used.")
            .labelNames("status", "apiserver_id_hash")
            .register(registry);
    lastConfig =
        Gauge.builder()
            .name("apiserver_authorization_config_controller_last_config_info")
            .help("The hash of the authorization configuration in use.")
            .labelNames("apiserver_id_hash", "hash")
            .register(registry);
  }

  private static Counter counter(
      PrometheusRegistry registry, String name, String help, String... labels) {
    return Counter.builder()
        .withoutExemplars()
        .name("apiserver_authorization_" + name)
        .help(help)
        .labelNames(labels)
        .register(registry);
  }

  private static Histogram histogram(
      PrometheusRegistry registry, String name, String help, double[] bounds, String... labels) {
    return Histogram.builder()
        .withoutExemplars()
        .name("apiserver_authorization_" + name)
        .help(help)
        .classicOnly()
        .classicUpperBounds(bounds)
        .labelNames(labels)
        .register(registry);
  }

  @Override
  public Decisions decisions(AuthorizerType type, String name) {
    var allowed = decisions.labelValues(type.spelling(), name, "allowed");
    var denied = decisions.labelValues(type.spelling(), name, "denied");
    return yes -> (yes ? allowed : denied).inc();
  }

  @Override
  public void asked(String webhook, AskResult result, long nanos) {
    evaluations.labelValues(webhook, text(result)).inc();
    durations.labelValues(webhook, text(result)).observe(nanos / NANOS);
  }

  @Override
  public void failedOpen(String webhook, AskResult result) {
    failedOpen.labelValues(webhook, text(result)).inc();
  }

  private static String text(AskResult result) {
    return result.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public void matched(String webhook, MatchResult result, long nanos) {
    conditionSeconds.labelValues(WEBHOOK, webhook).observe(nanos / NANOS);
    switch (result) {
      case MATCH -> {}
      case EXCLUDED -> conditionExclusions.labelValues(WEBHOOK, webhook).inc();
      case FAILED -> conditionErrors.labelValues(WEBHOOK, webhook).inc();
    }
  }

  @Override
  public void configured(byte[] file) {
    lastConfig.clear();
    lastConfig.labelValues(serverId, sha256(file)).set(1);
  }

  @Override
  public void reloaded(boolean success, byte[] file) {
    var status = success ? "success" : "failure";
    reloads.labelValues(status, serverId).inc();
    lastReload.labelValues(status, serverId).set(clock.millis() / 1000.0);
    if (success) {
      configured(file);
    }
  }

  private static String sha256(byte[] text) {
    try {
      var digest = MessageDigest.getInstance("SHA-256").digest(text);
      return "sha256:" + HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
