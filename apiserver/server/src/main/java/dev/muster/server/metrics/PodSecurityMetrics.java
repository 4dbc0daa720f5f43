package dev.muster.server.metrics;

import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.admission.PodSecurityObserver;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Locale;

/** Counts evaluations of the Pod Security Standards under upstream's metric names. Thread-safe. */
final class PodSecurityMetrics implements PodSecurityObserver {
  private final Counter evaluations;
  private final Counter exemptions;
  private final Counter errors;

  PodSecurityMetrics(PrometheusRegistry registry) {
    evaluations =
        Counter.builder()
            .name("pod_security_evaluations_total")
            .help("Pods, and objects that make pods, by the standard they were held against.")
            .labelNames(
                "decision",
                "policy_level",
                "policy_version",
                "mode",
                "request_operation",
                "resource",
                "subresource")
            .register(registry);
    exemptions =
        Counter.builder()
            .name("pod_security_exemptions_total")
            .help("Pods, and objects that make pods, at which nobody looked.")
            .labelNames("request_operation", "resource", "subresource")
            .register(registry);
    errors =
        Counter.builder()
            .name("pod_security_errors_total")
            .help("Requests for which the labels of the namespace could not be read.")
            .labelNames("fatal", "request_operation", "resource", "subresource")
            .register(registry);
    for (var operation : new String[] {"create", "update"}) {
      evaluations
          .labelValues("allow", "privileged", "latest", "enforce", operation, "pod", "")
          .inc(0);
      exemptions.labelValues(operation, "pod", "").inc(0);
      exemptions.labelValues(operation, "controller", "").inc(0);
    }
  }

  @Override
  public void evaluated(
      boolean allowed, String level, String version, String mode, Subject subject) {
    evaluations
        .labelValues(
            allowed ? "allow" : "deny",
            level,
            version,
            mode,
            label(subject.operation()),
            label(subject.pod()),
            subject.subresource())
        .inc();
  }

  @Override
  public void exempted(Subject subject) {
    exemptions
        .labelValues(label(subject.operation()), label(subject.pod()), subject.subresource())
        .inc();
  }

  @Override
  public void unreadable(Subject subject) {
    errors
        .labelValues(
            "false", label(subject.operation()), label(subject.pod()), subject.subresource())
        .inc();
  }

  private static String label(AdmissionOperation operation) {
    return operation.name().toLowerCase(Locale.ROOT);
  }

  private static String label(boolean pod) {
    return pod ? "pod" : "controller";
  }
}
