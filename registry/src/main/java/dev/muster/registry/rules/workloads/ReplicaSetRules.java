package dev.muster.registry.rules.workloads;

import static dev.muster.registry.rules.Default.make;
import static dev.muster.registry.rules.Default.value;
import static dev.muster.registry.rules.FieldChecks.immutable;
import static dev.muster.registry.rules.Rules.field;
import static dev.muster.registry.rules.Rules.metadataUpdate;
import static dev.muster.registry.rules.Rules.namespacedMetadata;

import dev.muster.model.validation.NameRule;
import dev.muster.registry.rules.FieldCursor;
import dev.muster.registry.rules.ValueChecks;
import dev.muster.registry.rules.pods.PodDefaults;
import dev.muster.registry.rules.pods.PodWarnings;
import dev.muster.registry.types.Strategy;

/** ReplicaSet: keeps a number of pods running. */
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
