package dev.muster.registry.rules.workloads;

import static dev.muster.registry.rules.FieldChecks.immutable;
import static dev.muster.registry.rules.Rules.field;
import static dev.muster.registry.rules.Rules.metadataUpdate;
import static dev.muster.registry.rules.Rules.namespacedMetadata;

import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.NameRule;
import dev.muster.registry.rules.FieldCursor;
import dev.muster.registry.rules.ResourceRules;
import dev.muster.registry.rules.ValueChecks;
import dev.muster.registry.types.Strategy;

/** ControllerRevision: what a template was at some time. */
public final class RevisionRules {
  public static final Strategy STRATEGY =
      ResourceRules.namespaced()
          .create(
              namespacedMetadata(NameRule.DNS_SUBDOMAIN),
              revision -> ValueChecks.nonNegative(revision, "revision"),
              RevisionRules::data)
          .update(
              metadataUpdate(),
              namespacedMetadata(NameRule.DNS_SUBDOMAIN),
              revision -> ValueChecks.nonNegative(revision, "revision"),
              field("data", immutable()))
          .build();

  private RevisionRules() {}

  private static void data(FieldCursor revision) {
    var data = revision.at("data");
    if (data.isAbsent()) {
      data.required("data is mandatory");
    } else if (!(data.value() instanceof JsonObject)) {
      data.required("data must be a valid JSON object");
    }
  }
}
