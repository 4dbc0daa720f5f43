package dev.muster.validation.apps;

import static dev.muster.validation.FieldChecks.immutable;
import static dev.muster.validation.Rules.field;
import static dev.muster.validation.Rules.metadataUpdate;
import static dev.muster.validation.Rules.namespacedMetadata;

import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.NameRule;
import dev.muster.types.Strategy;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.ResourceRules;
import dev.muster.validation.ValueChecks;

/** The strategy of ControllerRevisions. */
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
