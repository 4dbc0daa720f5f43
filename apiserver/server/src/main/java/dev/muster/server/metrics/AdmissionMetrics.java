package dev.muster.server.metrics;

import dev.muster.registry.admission.AdmissionObserver;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.admission.PodSecurityObserver;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Counts and times admission under upstream's metric names. Thread-safe. */
public final class AdmissionMetrics implements AdmissionObserver {
  private static final double[] STEP_BOUNDS = {0.005, 0.025, 0.1, 0.5, 1.0, 2.5};
  private static final double[] CONDITION_BOUNDS = {0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25};
  private static final int MOST_CODE = 600;

  private final Histogram steps;
  private final Histogram plugins;
  private final Histogram webhooks;
  private final Counter webhookRequests;
  // Gauges, because the library would append {@code _total} to the names of counters.
  private final Gauge webhookRejections;
  private final Gauge webhookFailOpens;
  private final Counter conditionErrors;
  private final Counter conditionExclusions;
  private final Histogram conditionSeconds;
  private final PolicyMetrics policies;
  private final PodSecurityMetrics podSecurity;
  private final AdmissionTimes stepTimes;
  private final Map<String, AdmissionTimes> pluginTimes = new ConcurrentHashMap<>();

  public AdmissionMetrics(PrometheusRegistry registry) {
    steps =
        histogram("apiserver_admission_step_admission_duration_seconds", STEP_BOUNDS)
            .help("Time that all admission plugins together took to change or check a request.")
            .labelNames("type", "operation", "rejected")
            .register(registry);
    registry.register(
        new SummaryAlias(
            steps,
            "apiserver_admission_step_admission_duration_seconds_summary",
            "As apiserver_admission_step_admission_duration_seconds, without buckets."));
    plugins =
        histogram("apiserver_admission_controller_admission_duration_seconds", STEP_BOUNDS)
            .help("Time that an admission plugin took to change or check a request.")
            .labelNames("name", "type", "operation", "rejected")
            .register(registry);
    webhooks =
        histogram(
                "apiserver_admission_webhook_admission_duration_seconds",
                0.005,
                0.025,
                0.1,
                0.5,
                1.0,
                2.5,
                10,
                25)
            .help("Time until an admission webhook was answered and its answer used.")
            .labelNames("name", "type", "operation", "rejected")
            .register(registry);
    webhookRequests =
        Counter.builder()
            .withoutExemplars()
            .name("apiserver_admission_webhook_request_total")
            .help("Reviews by the webhook that was asked and what came of it.")
            .labelNames("name", "type", "operation", "code", "rejected")
            .register(registry);
    webhookRejections =
        Gauge.builder()
            .name("apiserver_admission_webhook_rejection_count")
            .help("Requests that failed because of a webhook: by its word, or for want of it.")
            .labelNames("name", "type", "operation", "error_type", "rejection_code")
            .register(registry);
    webhookFailOpens =
        Gauge.builder()
            .name("apiserver_admission_webhook_fail_open_count")
            .help("Requests that went on without a webhook that could not be asked.")
            .labelNames("name", "type")
            .register(registry);
    conditionErrors =
        Counter.builder()
            .withoutExemplars()
            .name("apiserver_admission_match_condition_evaluation_errors_total")
            .help("Match conditions of a webhook or policy that could not be evaluated.")
            .labelNames("name", "kind", "type", "operation")
            .register(registry);
    conditionExclusions =
        Counter.builder()
            .withoutExemplars()
            .name("apiserver_admission_match_condition_exclusions_total")
            .help("Requests that do not concern a webhook or policy because of its conditions.")
            .labelNames("name", "kind", "type", "operation")
            .register(registry);
    conditionSeconds =
        histogram("apiserver_admission_match_condition_evaluation_seconds", CONDITION_BOUNDS)
            .help("Time that the match conditions of a webhook or policy took.")
            .labelNames("name", "kind", "type", "operation")
            .register(registry);
    stepTimes = new AdmissionTimes(steps);
    policies = new PolicyMetrics(registry);
    podSecurity = new PodSecurityMetrics(registry);
  }

  private static Histogram.Builder histogram(String name, double... bounds) {
    return Histogram.builder()
        .withoutExemplars()
        .name(name)
        .classicOnly()
        .classicUpperBounds(bounds);
  }

  @Override
  public void step(Step step, AdmissionOperation operation, boolean rejected, long nanos) {
    stepTimes.took(step, operation, rejected, nanos);
  }

  @Override
  public void plugin(
      String name, Step step, AdmissionOperation operation, boolean rejected, long nanos) {
    var times = pluginTimes.get(name);
    if (times == null) {
      times = pluginTimes.computeIfAbsent(name, added -> new AdmissionTimes(plugins, added));
    }
    times.took(step, operation, rejected, nanos);
  }

  static String type(Step step) {
    return step.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public void webhook(
      String name,
      Step step,
      AdmissionOperation operation,
      WebhookOutcome outcome,
      int code,
      long nanos) {
    // kube-apiserver uses a special label value here.
    var type = step == Step.ADMIT ? "admit" : "validating";
    var told = Integer.toString(Math.min(code, MOST_CODE));
    boolean rejected = true;
    switch (outcome) {
      case ALLOWED -> rejected = false;
      case IGNORED -> {
        rejected = false;
        webhookFailOpens.labelValues(name, type).inc();
      }
      case DENIED -> reject(name, type, operation, "no_error", told);
      case FAILED -> reject(name, type, operation, "calling_webhook_error", told);
      case UNUSABLE -> reject(name, type, operation, "apiserver_internal_error", told);
    }
    webhookRequests
        .labelValues(name, type, operation.name(), told, Boolean.toString(rejected))
        .inc();
    webhooks
        .labelValues(name, type, operation.name(), Boolean.toString(rejected))
        .observe(nanos / 1e9);
  }

  private void reject(
      String name, String type, AdmissionOperation operation, String error, String code) {
    webhookRejections.labelValues(name, type, operation.name(), error, code).inc();
  }

  @Override
  public void conditions(
      String name,
      String kind,
      Step step,
      AdmissionOperation operation,
      int errors,
      boolean excluded,
      long nanos) {
    var type = type(step);
    if (errors > 0) {
      conditionErrors.labelValues(name, kind, type, operation.name()).inc(errors);
    }
    if (excluded) {
      conditionExclusions.labelValues(name, kind, type, operation.name()).inc();
    }
    conditionSeconds.labelValues(name, kind, type, operation.name()).observe(nanos / 1e9);
  }

  @Override
  public PodSecurityObserver podSecurity() {
    return podSecurity;
  }

  @Override
  public void validated(String policy, String binding, String problem, String action, long nanos) {
    policies.validated(policy, binding, problem, action, nanos);
  }

  @Override
  public void mutated(String policy, String binding, String problem, long nanos) {
    policies.mutated(policy, binding, problem, nanos);
  }
}
