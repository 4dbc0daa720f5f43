package dev.muster.model.quota;

import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads and matches the scopes of a quota. */
public final class Scopes {
  private Scopes() {}

  /** All scopes of a quota as requirements; a scope without an operator means {@code Exists}. */
  public static List<JsonObject> of(JsonObject quota) {
    var spec = quota.object("spec");
    var all = new ArrayList<JsonObject>();
    for (var scope : spec.array("scopes").strings()) {
      all.add(JsonObject.of("scopeName", scope, "operator", "Exists"));
    }
    all.addAll(spec.object("scopeSelector").array("matchExpressions").objects());
    return all;
  }

  /** Whether a value, or its absence, meets the requirement's operator. */
  static boolean matches(JsonObject requirement, @Nullable String value) {
    var values = requirement.array("values").strings();
    return switch (requirement.string("operator")) {
      case "In" -> value != null && values.contains(value);
      case "NotIn" -> value == null || !values.contains(value);
      case "Exists" -> value != null;
      case "DoesNotExist" -> value == null;
      default -> false;
    };
  }
}
