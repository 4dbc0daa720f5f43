package dev.muster.registry.rules.workloads;

import static dev.muster.registry.rules.Default.in;
import static dev.muster.registry.rules.Default.make;
import static dev.muster.registry.rules.Default.value;
import static dev.muster.registry.rules.Default.when;
import static dev.muster.registry.rules.Rules.metadataUpdate;
import static dev.muster.registry.rules.Rules.namespacedMetadata;

import dev.muster.model.JsonArray;
import dev.muster.model.JsonObject;
import dev.muster.model.NameRule;
import dev.muster.registry.Strategy;
import dev.muster.registry.rules.Default;
import dev.muster.registry.rules.ResourceRules;

/** HorizontalPodAutoscaler: changes how many pods there are with what they have to do. */
final class AutoscalerRules {
  private static final JsonObject CPU =
      JsonObject.of(
          "type",
          "Resource",
          "resource",
          JsonObject.of(
              "name",
              "cpu",
              "target",
              JsonObject.of("type", "Utilization", "averageUtilization", 80)));

  private static final JsonObject PERCENT = policy("Percent", 100);

  private static final Default DEFAULTS =
      make(
          "spec",
          value("minReplicas", 1),
          when(
              spec -> spec.array("metrics").isEmpty(),
              Default.code(spec -> spec.with("metrics", JsonArray.of(CPU)))),
          in(
              "behavior",
              make(
                  "scaleUp",
                  value("stabilizationWindowSeconds", 0),
                  value("selectPolicy", "Max"),
                  value("policies", JsonArray.of(policy("Pods", 4), PERCENT))),
              make(
                  "scaleDown",
                  value("selectPolicy", "Max"),
                  value("policies", JsonArray.of(PERCENT)))));

  static final Strategy STRATEGY =
      ResourceRules.namespaced()
          .status()
          .defaults(DEFAULTS)
          .create(namespacedMetadata(NameRule.DNS_SUBDOMAIN))
          .update(metadataUpdate())
          .build();

  private AutoscalerRules() {}

  private static JsonObject policy(String type, long value) {
    return JsonObject.of("type", type, "value", value, "periodSeconds", 15);
  }
}
