package dev.muster.validation.apps;

import static dev.muster.validation.Default.make;
import static dev.muster.validation.Default.value;
import static dev.muster.validation.FieldChecks.immutable;
import static dev.muster.validation.Rules.field;
import static dev.muster.validation.Rules.metadataUpdate;
import static dev.muster.validation.Rules.namespacedMetadata;

import dev.muster.model.validation.NameRule;
import dev.muster.types.Strategy;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.ValueChecks;
import dev.muster.validation.pods.PodDefaults;
import dev.muster.validation.pods.PodWarnings;

/** The strategy of ReplicaSets. */
public final class ReplicaSetRules {
  public static final Strategy STRATEGY =
      Templates.workload()
          .defaults(
              make(
                  "spec",
                  value("replicas", 1),
                  Templates.LABELS,
                  make("template", PodDefaults.TEMPLATE)))
          .create(namespacedMetadata(NameRule.DNS_SUBDOMAIN), field("spec", ReplicaSetRules::spec))
          .update(
              metadataUpdate(),
              field("spec", ReplicaSetRules::spec),
              field("spec.selector", immutable()))
          .statusUpdate(metadataUpdate(), field("status", ReplicaSetRules::status))
          .warnings(
              PodWarnings::podName, object -> PodWarnings.template(object, "spec", "template"))
          .build();

  private ReplicaSetRules() {}

  private static void spec(FieldCursor spec) {
    ValueChecks.nonNegative(spec, "replicas", "minReadySeconds");
    Templates.selected(spec, "ReplicaSet", "empty selector is invalid for deployment");
  }

  static void status(FieldCursor status) {
    ValueChecks.nonNegative(
        status,
        "replicas",
        "fullyLabeledReplicas",
        "readyReplicas",
        "availableReplicas",
        "observedGeneration",
        "terminatingReplicas");
    Templates.counted(
        status,
        "cannot be greater than readyReplicas",
        "fullyLabeledReplicas",
        "readyReplicas",
        "availableReplicas");
  }
}
