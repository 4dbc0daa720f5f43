package dev.muster.server.metrics;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;

/** Counts and times the evaluation of admission policies. Thread-safe. */
final class PolicyMetrics {
  private static final String VALIDATING = "apiserver_validating_admission_policy_check";
  private static final String MUTATING = "apiserver_mutating_admission_policy_check";
  private static final double[] BOUNDS = {0.0000005, 0.001, 0.01, 0.1, 1.0};
  private static final String[] VALIDATING_LABELS = {
    "policy", "policy_binding", "error_type", "enforcement_action"
  };
  private static final String[] MUTATING_LABELS = {"policy", "policy_binding", "error_type"};

  private final Counter validations;
  private final Histogram validationTimes;
  private final Counter mutations;
  private final Histogram mutationTimes;

  PolicyMetrics(PrometheusRegistry registry) {
    validations =
        Counter.builder()
            .withoutExemplars()
            .name(VALIDATING + "_total")
            .help("Expressions of validating policies that did not simply hold, by what followed.")
            .labelNames(VALIDATING_LABELS)
            .register(registry);
    validationTimes =
        times(VALIDATING)
            .help("Time to evaluate an expression of a validating policy.")
            .labelNames(VALIDATING_LABELS)
            .register(registry);
    mutations =
        Counter.builder()
            .withoutExemplars()
            .name(MUTATING + "_total")
            .help("Mutations by the policy that made them and what came of it.")
            .labelNames(MUTATING_LABELS)
            .register(registry);
    mutationTimes =
        times(MUTATING)
            .help("Time that a mutation of a policy took.")
            .labelNames(MUTATING_LABELS)
            .register(registry);
  }

  private static Histogram.Builder times(String name) {
    return Histogram.builder()
        .withoutExemplars()
        .name(name + "_duration_seconds")
        .classicOnly()
        .classicUpperBounds(BOUNDS);
  }

  void validated(String policy, String binding, String problem, String action, long nanos) {
    String[] labels = {policy, binding, errorType(problem), action};
    validations.labelValues(labels).inc();
    validationTimes.labelValues(labels).observe(nanos / 1e9);
  }

  void mutated(String policy, String binding, String problem, long nanos) {
    String[] labels = {policy, binding, problem.isEmpty() ? "no_error" : errorType(problem)};
    mutations.labelValues(labels).inc();
    mutationTimes.labelValues(labels).observe(nanos / 1e9);
  }

  /**
   * Classifies errors by their texts, as kube-apiserver does; a plain denial counts as invalid,
   * too.
   */
  private static String errorType(String problem) {
    if (problem.startsWith("compilation")) {
      return "compile_error";
    }
    return problem.startsWith("validation failed due to running out of cost budget")
        ? "out_of_budget"
        : "invalid_error";
  }
}
