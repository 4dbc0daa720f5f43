package dev.muster.server.metrics;

import dev.muster.server.options.ApiOptions;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Map;

/** Exports which feature gates are enabled, of those of Kubernetes that have an effect here. */
public final class FeatureMetrics {
  private static final String ALPHA = "ALPHA";
  private static final String BETA = "BETA";

  /** Their stages in Kubernetes 1.36. */
  private static final Map<String, String> STAGES =
      Map.of(
          "APIServerIdentity", BETA,
          "AllowUnsafeMalformedObjectDeletion", ALPHA,
          "CBORServingAndStorage", ALPHA,
          "ComponentFlagz", BETA,
          "ComponentStatusz", BETA,
          "KMSv1", "DEPRECATED",
          "ManifestBasedAdmissionControlConfig", ALPHA,
          "StorageVersionAPI", ALPHA);

  private FeatureMetrics() {}

  public static void register(ApiOptions api, PrometheusRegistry registry) {
    var enabled =
        Gauge.builder()
            .name("kubernetes_feature_enabled")
            .help("1 for a feature that is on, 0 for one that is off, with its stage.")
            .labelNames("name", "stage")
            .register(registry);
    STAGES.forEach(
        (name, stage) -> enabled.labelValues(name, stage).set(api.enabled(name) ? 1 : 0));
  }
}
