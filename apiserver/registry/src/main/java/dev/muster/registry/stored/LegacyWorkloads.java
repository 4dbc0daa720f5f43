package dev.muster.registry.stored;

import static dev.muster.validation.Default.absent;
import static dev.muster.validation.Default.all;
import static dev.muster.validation.Default.code;
import static dev.muster.validation.Default.make;
import static dev.muster.validation.Default.value;
import static dev.muster.validation.Default.when;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.types.conversion.BudgetSelector;
import dev.muster.types.conversion.DeprecatedAnnotations;
import dev.muster.validation.Default;

/**
 * Converts workloads and budgets of {@code extensions} and of the first versions of {@code apps}
 * and {@code policy}.
 */
final class LegacyWorkloads {
  private static final long UNLIMITED = Integer.MAX_VALUE;

  private static final Default CHOSEN_BY_TEMPLATE = code(LegacyWorkloads::chosenByTemplate);

  /**
   * The defaults of {@code extensions} Deployments: no progress deadline and an unlimited revision
   * history.
   */
  private static final Default EXTENSIONS_DEPLOYMENT =
      all(
          CHOSEN_BY_TEMPLATE,
          make(
              "spec",
              make(
                  "strategy",
                  value("type", "RollingUpdate"),
                  when(
                      strategy ->
                          strategy.string("type").equals("RollingUpdate")
                              || strategy.has("rollingUpdate"),
                      make(
                          "rollingUpdate",
                          absent("maxUnavailable", Json.of(1)),
                          absent("maxSurge", Json.of(1))))),
              value("progressDeadlineSeconds", UNLIMITED),
              value("revisionHistoryLimit", UNLIMITED)));

  private static final Default FIRST_DEPLOYMENT =
      all(CHOSEN_BY_TEMPLATE, make("spec", value("revisionHistoryLimit", 2)));

  private static final Default REPLACED_WHEN_DELETED =
      all(CHOSEN_BY_TEMPLATE, make("spec", make("updateStrategy", value("type", "OnDelete"))));

  private LegacyWorkloads() {}

  static JsonObject extensionsDeployment(JsonObject deployment) {
    return withRollback(EXTENSIONS_DEPLOYMENT.apply(deployment));
  }

  static JsonObject firstDeployment(JsonObject deployment) {
    return withRollback(FIRST_DEPLOYMENT.apply(deployment));
  }

  static JsonObject firstStatefulSet(JsonObject set) {
    return REPLACED_WHEN_DELETED.apply(set);
  }

  static JsonObject extensionsReplicaSet(JsonObject set) {
    return chosenByTemplate(set);
  }

  static JsonObject extensionsDaemonSet(JsonObject set) {
    var generation = set.object("spec").integer("templateGeneration", 0);
    return annotated(
        REPLACED_WHEN_DELETED.apply(set).withoutAt("spec", "templateGeneration"),
        DeprecatedAnnotations.TEMPLATE_GENERATION,
        generation);
  }

  /** An empty selector matched no pods in the first version; it matches all pods in later ones. */
  static JsonObject budget(JsonObject budget) {
    return budget.object("spec").get("selector") instanceof JsonObject selector
        ? budget.withAt(BudgetSelector.ofFirstVersion(selector), "spec", "selector")
        : budget;
  }

  /** Copies missing labels and a missing selector from the template's labels. */
  private static JsonObject chosenByTemplate(JsonObject object) {
    var labels = object.object("spec", "template", "metadata").get("labels");
    if (!(labels instanceof JsonObject)) {
      return object;
    }
    var chosen = object;
    var selector = object.object("spec").get("selector");
    if (selector == null || selector == JsonNull.NULL) {
      chosen = chosen.withAt(JsonObject.of("matchLabels", labels), "spec", "selector");
    }
    return object.object("metadata", "labels").isEmpty()
        ? chosen.withAt(labels, "metadata", "labels")
        : chosen;
  }

  private static JsonObject withRollback(JsonObject deployment) {
    var rollback = deployment.object("spec").get("rollbackTo");
    return rollback instanceof JsonObject to
        ? annotated(
            deployment.withoutAt("spec", "rollbackTo"),
            DeprecatedAnnotations.ROLLBACK,
            to.integer("revision", 0))
        : deployment.withoutAt("metadata", "annotations", DeprecatedAnnotations.ROLLBACK);
  }

  private static JsonObject annotated(JsonObject object, String annotation, long number) {
    return object.withAt(Json.of(Long.toString(number)), "metadata", "annotations", annotation);
  }
}
