package dev.muster.types.conversion;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.util.ArrayList;

/**
 * Removes the label requirement by which an older version of PodDisruptionBudgets marked an empty
 * selector. Beside other requirements it has no meaning.
 */
public final class BudgetSelector implements Conversion {
  private static final String LABEL = "pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match";
  private static final JsonObject MATCHES_NOTHING = requirement("Exists");

  /** The requirement that stood for an empty selector in that version. */
  private static final JsonObject MATCHED_ALL = requirement("DoesNotExist");

  private static JsonObject requirement(String operator) {
    return JsonObject.of(
        "matchExpressions", JsonArray.of(JsonObject.of("key", LABEL, "operator", operator)));
  }

  /** The selector that matches the same pods as this one did in {@code policy/v1beta1}. */
  public static JsonObject ofFirstVersion(JsonObject selector) {
    return selector.isEmpty()
        ? MATCHES_NOTHING
        : selector.equals(MATCHED_ALL) ? JsonObject.EMPTY : selector;
  }

  @Override
  public JsonObject toStored(JsonObject budget) {
    var selector = budget.object("spec", "selector");
    var expressions = selector.array("matchExpressions");
    var kept = new ArrayList<Json>();
    for (var expression : expressions.objects()) {
      if (!expression.string("key").equals(LABEL)) {
        kept.add(expression);
      }
    }
    if (kept.size() == expressions.size() || selector.equals(MATCHES_NOTHING)) {
      return budget;
    }
    return budget.withAt(
        kept.isEmpty()
            ? selector.without("matchExpressions")
            : selector.with("matchExpressions", JsonArray.of(kept)),
        "spec",
        "selector");
  }
}
