package dev.muster.registry.rules.storage;

import static dev.muster.registry.rules.FieldChecks.immutable;
import static dev.muster.registry.rules.FieldChecks.immutableText;
import static dev.muster.registry.rules.Rules.field;
import static dev.muster.registry.rules.Rules.ifPresent;
import static dev.muster.registry.rules.Rules.metadataUpdate;
import static dev.muster.registry.rules.Rules.namespacedMetadata;

import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.LabelRules;
import dev.muster.model.validation.NameRule;
import dev.muster.model.validation.Names;
import dev.muster.registry.rules.FieldCursor;
import dev.muster.registry.rules.NodeSelectors;
import dev.muster.registry.rules.ResourceRules;
import dev.muster.registry.rules.Resources;
import dev.muster.registry.rules.Rule;
import dev.muster.registry.rules.Rules;
import dev.muster.registry.types.Strategy;
import java.util.ArrayList;

/** CSIStorageCapacity: how much a driver can still make in a part of the cluster. */
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
