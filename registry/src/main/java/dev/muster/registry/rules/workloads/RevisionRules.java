package dev.muster.registry.rules.workloads;

import static dev.muster.registry.rules.Checks.immutable;
import static dev.muster.registry.rules.Rules.field;
import static dev.muster.registry.rules.Rules.metadataUpdate;
import static dev.muster.registry.rules.Rules.namespacedMetadata;

import dev.muster.model.JsonObject;
import dev.muster.model.NameRule;
import dev.muster.registry.Strategy;
import dev.muster.registry.rules.Place;
import dev.muster.registry.rules.ResourceRules;

/** ControllerRevision: what a template was at some time. */
public final class RevisionRules {
  public static final Strategy STRATEGY =
      ResourceRules.namespaced()
          .create(
              namespacedMetadata(NameRule.DNS_SUBDOMAIN),
              revision -> Values.nonNegative(revision, "revision"),
              RevisionRules::data)
          .update(
              metadataUpdate(),
              namespacedMetadata(NameRule.DNS_SUBDOMAIN),
              revision -> Values.nonNegative(revision, "revision"),
              field("data", immutable()))
          .build();

  private RevisionRules() {}

  private static void data(Place revision) {
    var data = revision.at("data");
    if (data.isAbsent()) {
      data.required("data is mandatory");
    } else if (!(data.value() instanceof JsonObject)) {
      data.required("data must be a valid JSON object");
    }
  }
}
