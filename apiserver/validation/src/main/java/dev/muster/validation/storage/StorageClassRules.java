package dev.muster.validation.storage;

import static dev.muster.validation.Default.absent;
import static dev.muster.validation.FieldChecks.immutable;
import static dev.muster.validation.FieldChecks.immutableText;
import static dev.muster.validation.FieldChecks.oneOf;
import static dev.muster.validation.Rules.clusterMetadata;
import static dev.muster.validation.Rules.field;
import static dev.muster.validation.Rules.ifSet;
import static dev.muster.validation.Rules.metadataUpdate;

import dev.muster.model.json.Json;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.NameRule;
import dev.muster.model.validation.Names;
import dev.muster.types.Strategy;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.NodeSelectors;
import dev.muster.validation.ResourceRules;
import dev.muster.validation.Rule;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The strategy of StorageClasses. */
public final class StorageClassRules {
  private static final int MOST_REPEATS = 8;

  private static final Rule CLASS =
      Rule.all(
          clusterMetadata(NameRule.DNS_SUBDOMAIN),
          field("provisioner", StorageParameters::driver),
          field("parameters", StorageParameters.check(true)),
          ifSet("reclaimPolicy", oneOf("Delete", "Retain")),
          field("volumeBindingMode", oneOf("Immediate", "WaitForFirstConsumer")),
          field("allowedTopologies", StorageClassRules::topologies));

  public static final Strategy STRATEGY =
      ResourceRules.cluster()
          .defaults(absent("reclaimPolicy", "Delete"), absent("volumeBindingMode", "Immediate"))
          .create(CLASS)
          .update(
              CLASS,
              metadataUpdate(),
              field("parameters", immutable()),
              field("provisioner", immutableText()),
              field("reclaimPolicy", immutable()),
              field("volumeBindingMode", immutable()))
          .warnings(StorageClassRules::warnings)
          .answersDeleteWithObject()
          .build();

  private StorageClassRules() {}

  /** Refuses a term once for each equal earlier term, and an empty term once for each term. */
  private static void topologies(FieldCursor terms) {
    var seen = new HashMap<Map<String, Set<String>>, Integer>();
    seen.put(Map.of(), terms.array().size());
    for (var term : terms.items()) {
      int before = seen.merge(term(term.at("matchLabelExpressions")), 1, Integer::sum) - 1;
      for (int i = 0; i < Math.min(before, MOST_REPEATS); i++) {
        var path = term.at("matchLabelExpressions").path();
        term.report(FieldError.duplicate(path, Json.of("")));
      }
    }
  }

  private static Map<String, Set<String>> term(FieldCursor expressions) {
    var found = new HashMap<String, Set<String>>();
    for (var expression : expressions.items()) {
      var values = expression.at("values");
      if (values.isEmpty()) {
        values.required("");
      }
      var texts = new HashSet<String>();
      for (var value : values.items()) {
        if (!texts.add(value.text())) {
          value.duplicate();
        }
      }
      var key = expression.at("key");
      for (var problem : Names.qualifiedName(key.text())) {
        key.invalid(problem);
      }
      if (found.put(key.text(), texts) != null) {
        key.duplicate();
      }
    }
    return found;
  }

  private static void warnings(FieldCursor type) {
    for (var term : type.at("allowedTopologies").items()) {
      for (var expression : term.at("matchLabelExpressions").items()) {
        var key = expression.at("key");
        var deprecation = NodeSelectors.deprecation(key.text());
        if (!deprecation.isEmpty()) {
          key.warn(key.path() + ": " + deprecation);
        }
      }
    }
  }
}
