package dev.muster.validation.storage;

import static dev.muster.validation.FieldChecks.immutable;
import static dev.muster.validation.FieldChecks.immutableText;
import static dev.muster.validation.Rules.field;
import static dev.muster.validation.Rules.ifPresent;
import static dev.muster.validation.Rules.metadataUpdate;
import static dev.muster.validation.Rules.namespacedMetadata;

import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.LabelRules;
import dev.muster.model.validation.NameRule;
import dev.muster.model.validation.Names;
import dev.muster.types.Strategy;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.NodeSelectors;
import dev.muster.validation.ResourceRules;
import dev.muster.validation.Resources;
import dev.muster.validation.Rule;
import dev.muster.validation.Rules;
import java.util.ArrayList;

/** The strategy of CSIStorageCapacities. */
public final class CapacityRules {
  private static final Rule CAPACITY =
      Rule.all(
          namespacedMetadata(NameRule.DNS_SUBDOMAIN),
          field("nodeTopology", CapacityRules::topology),
          field("storageClassName", name -> name.invalidEach(Names.dnsSubdomain(name.text()))),
          ifPresent("capacity", Resources::nonNegative));

  public static final Strategy STRATEGY =
      ResourceRules.namespaced()
          .create(CAPACITY)
          .update(
              CAPACITY,
              metadataUpdate(),
              field("nodeTopology", immutable()),
              field("storageClassName", immutableText()))
          .warnings(field("nodeTopology", CapacityRules::warnings))
          .refusesUnconditionalUpdate()
          .build();

  private CapacityRules() {}

  private static void topology(FieldCursor selector) {
    var before = new ArrayList<FieldError>();
    LabelRules.selector(selector.before().object(), selector.path(), before);
    Rules.report(
        selector,
        errors ->
            LabelRules.selector(selector.object(), selector.path(), before.isEmpty(), errors));
  }

  private static void warnings(FieldCursor selector) {
    NodeSelectors.warnings(selector);
    for (var label : selector.at("matchLabels").entries()) {
      var deprecation = NodeSelectors.deprecation(label.name());
      if (!deprecation.isEmpty()) {
        var path = selector.path().child("matchLabels").child(label.name());
        selector.warn(path + ": " + deprecation);
      }
    }
  }
}
