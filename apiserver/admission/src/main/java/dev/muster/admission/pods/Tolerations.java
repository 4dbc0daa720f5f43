package dev.muster.admission.pods;

import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** Merges and compares lists of tolerations. */
final class Tolerations {
  private Tolerations() {}

  /** Both lists without tolerations that another one covers; of equal ones the first stays. */
  static List<JsonObject> merge(List<JsonObject> first, List<JsonObject> second) {
    var all = new ArrayList<>(first);
    all.addAll(second);
    var merged = new ArrayList<JsonObject>();
    for (int i = 0; i < all.size(); i++) {
      var one = all.get(i);
      boolean covered = merged.stream().anyMatch(other -> covers(other, one));
      for (int j = i + 1; j < all.size() && !covered; j++) {
        covered = !all.get(j).equals(one) && covers(all.get(j), one);
      }
      if (!covered) {
        merged.add(one);
      }
    }
    return merged;
  }

  /** Whether {@code wide} tolerates everything that {@code narrow} tolerates. */
  static boolean covers(JsonObject wide, JsonObject narrow) {
    if (wide.equals(narrow)) {
      return true;
    }
    var key = wide.string("key");
    var operator = wide.string("operator");
    var effect = wide.string("effect");
    if (!narrow.string("key").equals(key) && !(key.isEmpty() && operator.equals("Exists"))) {
      return false;
    }
    if (!narrow.string("effect").equals(effect) && !effect.isEmpty()) {
      return false;
    }
    if (effect.equals("NoExecute")
        && wide.has("tolerationSeconds")
        && (!narrow.has("tolerationSeconds")
            || narrow.integer("tolerationSeconds", 0) > wide.integer("tolerationSeconds", 0))) {
      return false;
    }
    return switch (operator) {
      case "Equal", "" ->
          narrow.string("operator").equals("Equal")
              && narrow.string("value").equals(wide.string("value"));
      case "Exists" -> true;
      default -> false;
    };
  }
}
