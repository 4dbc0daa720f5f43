package dev.muster.registry.rules.storage;

import static dev.muster.registry.rules.Checks.immutable;
import static dev.muster.registry.rules.Checks.immutableText;
import static dev.muster.registry.rules.Rules.field;
import static dev.muster.registry.rules.Rules.ifPresent;
import static dev.muster.registry.rules.Rules.metadataUpdate;
import static dev.muster.registry.rules.Rules.namespacedMetadata;

import dev.muster.model.FieldError;
import dev.muster.model.LabelRules;
import dev.muster.model.NameRule;
import dev.muster.model.Names;
import dev.muster.registry.Strategy;
import dev.muster.registry.rules.NodeSelectors;
import dev.muster.registry.rules.Place;
import dev.muster.registry.rules.ResourceRules;
import dev.muster.registry.rules.Resources;
import dev.muster.registry.rules.Rule;
import dev.muster.registry.rules.Rules;
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

  private static void topology(Place selector) {
    var before = new ArrayList<FieldError>();
    LabelRules.selector(selector.before().object(), selector.path(), before);
    Rules.report(
        selector,
        errors ->
            LabelRules.selector(selector.object(), selector.path(), before.isEmpty(), errors));
  }

  private static void warnings(Place selector) {
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
