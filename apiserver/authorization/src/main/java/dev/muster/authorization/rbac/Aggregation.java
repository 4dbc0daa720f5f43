package dev.muster.authorization.rbac;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.select.LabelSelector;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;

/** Aggregates the rules of cluster roles by their labels. */
public final class Aggregation {
  private Aggregation() {}

  public static boolean gathers(JsonObject role) {
    return role.get("aggregationRule") instanceof JsonObject;
  }

  /**
   * The rules of an aggregated role: those of all roles that its selectors match, by role name,
   * without duplicates.
   */
  public static JsonArray rules(JsonObject role, List<JsonObject> all) {
    var sorted = new ArrayList<>(all);
    sorted.sort(Comparator.comparing(Aggregation::name));
    var gathered = new LinkedHashSet<Json>();
    for (var selector : role.object("aggregationRule").array("clusterRoleSelectors").objects()) {
      var chosen = LabelSelector.ofObject(selector);
      for (var other : sorted) {
        if (!name(other).equals(name(role)) && chosen.matches(other.object("metadata", "labels"))) {
          other.array("rules").forEach(gathered::add);
        }
      }
    }
    return JsonArray.of(List.copyOf(gathered));
  }

  /** The roles with all aggregated rules filled in, including aggregation of aggregated roles. */
  public static List<JsonObject> fill(List<JsonObject> roles) {
    var filled = new ArrayList<>(roles);
    for (boolean changed = true; changed; ) {
      changed = false;
      for (int i = 0; i < filled.size(); i++) {
        var role = filled.get(i);
        if (gathers(role)) {
          var rules = rules(role, filled);
          if (!rules.equals(role.array("rules"))) {
            filled.set(i, role.with("rules", rules));
            changed = true;
          }
        }
      }
    }
    return filled;
  }

  private static String name(JsonObject role) {
    return role.object("metadata").string("name");
  }
}
