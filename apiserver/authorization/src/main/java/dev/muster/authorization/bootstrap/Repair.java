package dev.muster.authorization.bootstrap;

import dev.muster.authorization.PolicyRule;
import dev.muster.authorization.rbac.Coverage;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.Set;

/**
 * Computes the repaired form of a default object; returns the existing instance if nothing is
 * missing.
 */
final class Repair {
  private static final String RBAC_SWITCH = "rbac.authorization.kubernetes.io/autoupdate";
  private static final String FLOW_SWITCH = "apf.kubernetes.io/autoupdate-spec";
  private static final Set<String> MANDATORY = Set.of("exempt", "catch-all");

  private Repair() {}

  /** Adds missing rules, labels and aggregation selectors; removes nothing. */
  static JsonObject role(JsonObject wanted, JsonObject existing) {
    if (isProtected(existing)) {
      return existing;
    }
    var repaired = withMetadata(wanted, existing);
    var missing = Coverage.missing(PolicyRule.allOf(existing), PolicyRule.allOf(wanted));
    if (!missing.isEmpty()) {
      var rules = new ArrayList<>(existing.array("rules").asList());
      missing.forEach(rule -> rules.add(rule.toJson()));
      repaired = repaired.with("rules", JsonArray.of(rules));
    }
    if (!(wanted.get("aggregationRule") instanceof JsonObject gathering)) {
      return existing.has("aggregationRule") ? repaired.without("aggregationRule") : repaired;
    }
    var selectors = new ArrayList<>(selectors(existing.object("aggregationRule")).asList());
    boolean complete = true;
    for (var selector : selectors(gathering)) {
      if (!selectors.contains(selector)) {
        selectors.add(selector);
        complete = false;
      }
    }
    return complete
        ? repaired
        : repaired.withAt(JsonArray.of(selectors), "aggregationRule", "clusterRoleSelectors");
  }

  private static JsonArray selectors(JsonObject rule) {
    return rule.array("clusterRoleSelectors");
  }

  /** Adds missing subjects and labels; removes nothing. An existing role reference stays. */
  static JsonObject binding(JsonObject wanted, JsonObject existing) {
    if (isProtected(existing) || !wanted.object("roleRef").equals(existing.object("roleRef"))) {
      return existing;
    }
    var repaired = withMetadata(wanted, existing);
    var subjects = new ArrayList<Json>(existing.array("subjects").asList());
    boolean complete = true;
    for (var subject : wanted.array("subjects")) {
      if (!subjects.contains(subject)) {
        subjects.add(subject);
        complete = false;
      }
    }
    return complete ? repaired : repaired.with("subjects", JsonArray.of(subjects));
  }

  private static boolean isProtected(JsonObject existing) {
    return existing.object("metadata", "annotations").string(RBAC_SWITCH).equals("false");
  }

  /** Adds the wanted labels and annotations that are missing. */
  private static JsonObject withMetadata(JsonObject wanted, JsonObject existing) {
    var repaired = existing;
    for (var field : new String[] {"labels", "annotations"}) {
      var there = existing.object("metadata", field);
      var merged = there.toBuilder();
      var needed = wanted.object("metadata", field);
      for (int i = 0; i < needed.size(); i++) {
        if (!there.has(needed.key(i))) {
          merged.put(needed.key(i), needed.value(i));
        }
      }
      var all = merged.build();
      if (all.size() != there.size()) {
        repaired = repaired.withAt(all, "metadata", field);
      }
    }
    return repaired;
  }

  /**
   * Restores the default spec unless a user disabled that; mandatory objects are always restored.
   */
  static JsonObject flow(JsonObject wanted, JsonObject existing) {
    var metadata = existing.object("metadata");
    var said = metadata.object("annotations").string(FLOW_SWITCH);
    boolean update =
        MANDATORY.contains(metadata.string("name"))
            || said.equals("true")
            || (!said.equals("false") && metadata.integer("generation", 0) == 1);
    var repaired = existing;
    if (update && !wanted.object("spec").equals(existing.object("spec"))) {
      repaired = repaired.with("spec", wanted.object("spec"));
    }
    var text = String.valueOf(update);
    return said.equals(text)
        ? repaired
        : repaired.withAt(Json.of(text), "metadata", "annotations", FLOW_SWITCH);
  }
}
