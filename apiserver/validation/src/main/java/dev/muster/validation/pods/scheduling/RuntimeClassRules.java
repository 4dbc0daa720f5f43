package dev.muster.validation.pods.scheduling;

import static dev.muster.validation.FieldChecks.dnsLabel;
import static dev.muster.validation.FieldChecks.immutableText;
import static dev.muster.validation.FieldChecks.labels;
import static dev.muster.validation.Rules.field;
import static dev.muster.validation.Rules.ifPresent;
import static dev.muster.validation.Rules.plainMetadata;
import static dev.muster.validation.Rules.plainMetadataUpdate;
import static dev.muster.validation.Rules.required;

import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.NameRule;
import dev.muster.types.Strategy;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.NodeSelectors;
import dev.muster.validation.ResourceRules;
import dev.muster.validation.Rule;
import dev.muster.validation.pods.containers.ResourceRequirements;
import java.util.HashSet;

/** The strategy of RuntimeClasses. */
public final class RuntimeClassRules {
  private static final Rule CLASS =
      Rule.all(
          plainMetadata(false, NameRule.DNS_SUBDOMAIN),
          required("handler", "", dnsLabel()),
          ifPresent(
              "overhead",
              overhead ->
                  ResourceRequirements.overhead(overhead, overhead.at("podFixed").object())),
          ifPresent(
              "scheduling",
              field("nodeSelector", labels()),
              field("tolerations", TolerationRules::check, RuntimeClassRules::unique)));

  public static final Strategy STRATEGY =
      ResourceRules.cluster()
          .create(CLASS)
          .update(CLASS, plainMetadataUpdate(), field("handler", immutableText()))
          .warnings(field("scheduling.nodeSelector", RuntimeClassRules::warnings))
          .createsOnUpdate()
          .refusesUnconditionalUpdate()
          .build();

  private RuntimeClassRules() {}

  /**
   * Requires unique tolerations; tolerations that differ only in tolerationSeconds count as equal.
   */
  private static void unique(FieldCursor tolerations) {
    var seen = new HashSet<JsonObject>();
    for (var toleration : tolerations.items()) {
      if (!seen.add(toleration.object().without("tolerationSeconds"))) {
        toleration.duplicate();
      }
    }
  }

  private static void warnings(FieldCursor selector) {
    for (var label : selector.entries()) {
      var deprecation = NodeSelectors.deprecation(label.name());
      if (!deprecation.isEmpty()) {
        selector.warn(selector.path() + ": " + deprecation);
      }
    }
  }
}
