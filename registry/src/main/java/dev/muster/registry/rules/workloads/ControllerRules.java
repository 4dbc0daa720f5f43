package dev.muster.registry.rules.workloads;

import static dev.muster.registry.rules.Default.in;
import static dev.muster.registry.rules.Default.make;
import static dev.muster.registry.rules.Default.value;
import static dev.muster.registry.rules.Rules.field;
import static dev.muster.registry.rules.Rules.metadataUpdate;
import static dev.muster.registry.rules.Rules.namespacedMetadata;

import dev.muster.model.JsonNull;
import dev.muster.model.JsonObject;
import dev.muster.model.LabelSelector;
import dev.muster.model.NameRule;
import dev.muster.registry.Strategy;
import dev.muster.registry.rules.Default;
import dev.muster.registry.rules.Place;

/** ReplicationController: keeps a number of pods running; the oldest kind that does. */
final class ControllerRules {
  static final Strategy STRATEGY =
      Templates.workload()
          .defaults(
              Default.code(ControllerRules::labels),
              make("spec", value("replicas", 1), in("template", PodDefaults.TEMPLATE)))
          .create(namespacedMetadata(NameRule.DNS_SUBDOMAIN), field("spec", ControllerRules::spec))
          .update(metadataUpdate(), field("spec", ControllerRules::spec))
          .statusUpdate(metadataUpdate(), field("status", ReplicaSetRules::status))
          .orphansDependents("")
          .warnings(
              PodWarnings::podName, object -> PodWarnings.template(object, "spec", "template"))
          .build();

  private ControllerRules() {}

  private static void spec(Place spec) {
    Values.nonNegative(spec, "minReadySeconds");
    var selector = spec.at("selector");
    if (selector.isEmpty()) {
      selector.required("");
    }
    Values.nonNegative(spec, "replicas");
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

  /** Without labels or selector of its own it has those of its template. */
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
