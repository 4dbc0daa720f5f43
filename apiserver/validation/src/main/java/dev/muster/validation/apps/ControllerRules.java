package dev.muster.validation.apps;

import static dev.muster.validation.Default.in;
import static dev.muster.validation.Default.make;
import static dev.muster.validation.Default.value;
import static dev.muster.validation.Rules.field;
import static dev.muster.validation.Rules.metadataUpdate;
import static dev.muster.validation.Rules.namespacedMetadata;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.model.select.LabelSelector;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.NameRule;
import dev.muster.types.Strategy;
import dev.muster.validation.Default;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.ValueChecks;
import dev.muster.validation.pods.PodDefaults;
import dev.muster.validation.pods.PodSpecRules;
import dev.muster.validation.pods.PodWarnings;

/** The strategy of ReplicationControllers. */
public final class ControllerRules {
  private static final String UNCONVERTIBLE = "non-convertible.kubernetes.io";

  public static final Strategy STRATEGY =
      Templates.workload()
          .defaults(
              Default.code(ControllerRules::labels),
              make("spec", value("replicas", 1), in("template", PodDefaults.TEMPLATE)))
          .prepareStatusUpdate((controller, old) -> labels(controller))
          .create(namespacedMetadata(NameRule.LONG_NAME), field("spec", ControllerRules::spec))
          .update(
              metadataUpdate(),
              field("spec", ControllerRules::spec),
              ControllerRules::unconvertible)
          .statusUpdate(metadataUpdate(), field("status", ReplicaSetRules::status))
          .orphansDependents("")
          .warnings(PodWarnings::podName, ControllerRules::template)
          .build();

  private ControllerRules() {}

  /** Like upstream, an update repeats errors that the template already had. */
  private static void template(FieldCursor controller) {
    if (!controller.isUpdate()) {
      PodWarnings.unchecked(controller, "spec", "template");
    } else if (controller.at("metadata", "generation").isChanged()) {
      PodWarnings.unchecked(controller.before(), "spec", "template");
    }
  }

  /** Refuses changes while annotations tell of fields that could not be converted. */
  private static void unconvertible(FieldCursor controller) {
    for (var old : controller.at("metadata", "annotations").before().entries()) {
      var parts = old.name().split("/", -1);
      if (parts.length != 2 || !old.name().startsWith(UNCONVERTIBLE)) {
        continue;
      }
      var selector = controller.at("spec", "selector");
      if (!parts[1].contains("selector")) {
        controller.report(
            new FieldError(
                FieldError.Type.NOT_FOUND,
                parts[1],
                "Not found: " + GoText.quote(old.text()) + ": unknown non-convertible field"));
      } else if (selector.isChanged()) {
        selector.invalid(
            selector.isAbsent() ? JsonNull.NULL : selector.object(),
            "cannot update non-convertible selector");
      }
    }
  }

  private static void spec(FieldCursor spec) {
    ValueChecks.nonNegative(spec, "minReadySeconds");
    var selector = spec.at("selector");
    if (selector.isEmpty()) {
      selector.required("");
    }
    ValueChecks.nonNegative(spec, "replicas");
    var template = spec.at("template");
    if (template.isAbsent()) {
      template.required("");
      return;
    }
    var labels = template.at("metadata", "labels");
    if (!selector.isEmpty()
        && !LabelSelector.ofLabels(selector.object()).matches(labels.object())) {
      labels.invalid(
          labels.isAbsent() ? JsonNull.NULL : labels.object(),
          "`selector` does not match template `labels`");
    }
    PodSpecRules.template(template);
    Templates.runsForever(template.at("spec"), "ReplicationController");
  }

  /** Copies missing labels and a missing selector from the template. */
  private static JsonObject labels(JsonObject controller) {
    var labels = controller.object("spec", "template", "metadata", "labels");
    if (labels.isEmpty()) {
      return controller;
    }
    var filled = controller;
    if (filled.object("spec", "selector").isEmpty()) {
      filled = filled.withAt(labels, "spec", "selector");
    }
    if (filled.object("metadata", "labels").isEmpty()) {
      filled = filled.withAt(labels, "metadata", "labels");
    }
    return filled;
  }
}
