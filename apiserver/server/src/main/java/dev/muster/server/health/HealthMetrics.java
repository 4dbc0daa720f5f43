package dev.muster.server.health;

import dev.muster.server.health.HealthChecks.Question;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;

/**
 * Exports every health check as a metric under upstream's name, evaluated on scrape, and the
 * results of past requests.
 */
public final class HealthMetrics {
  private HealthMetrics() {}

  public static void register(HealthChecks checks, PrometheusRegistry registry) {
    GaugeWithCallback.builder()
        .name("kubernetes_healthcheck")
        .help("Whether a check passes (1) or not (0), by its name and who asks for it.")
        .labelNames("name", "type")
        .callback(
            gauge -> {
              for (var check : checks.all()) {
                int passes = check.passes().getAsBoolean() ? 1 : 0;
                for (var question : Question.values()) {
                  if (HealthChecks.asked(check, question)) {
                    gauge.call(passes, check.name(), question.path());
                  }
                }
              }
            })
        .register(registry);
    CounterWithCallback.builder()
        .name("kubernetes_healthchecks_total")
        .help("How often a check passed or failed, by its name and who asked for it.")
        .labelNames("name", "status", "type")
        .callback(
            counter ->
                checks
                    .findings()
                    .forEach(
                        (finding, times) ->
                            counter.call(
                                times.doubleValue(),
                                finding.check(),
                                finding.passes() ? "success" : "error",
                                finding.question().path())))
        .register(registry);
  }
}
