package dev.muster.types.conversion;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes an autoscaler's behavior in an annotation of {@code autoscaling/v1}, which uses
 * capitalized field names and omits no field.
 */
final class BehaviorForm {
  static final List<String> DIRECTIONS = List.of("scaleUp", "scaleDown");
  private static final List<String> RULES =
      List.of("stabilizationWindowSeconds", "selectPolicy", "policies", "tolerance");
  private static final List<String> POLICY = List.of("type", "value", "periodSeconds");

  private BehaviorForm() {}

  static JsonObject toV1(JsonObject behavior) {
    var written = JsonObject.builder();
    for (var direction : DIRECTIONS) {
      var rules = behavior.get(direction);
      written.put(
          capital(direction), rules instanceof JsonObject object ? rules(object) : JsonNull.NULL);
    }
    return written.build();
  }

  private static JsonObject rules(JsonObject rules) {
    var written = JsonObject.builder();
    for (var field : RULES) {
      var value = rules.get(field);
      if (value instanceof JsonArray policies) {
        value = policies.map(policy -> policy instanceof JsonObject one ? policy(one) : policy);
      }
      written.put(capital(field), value == null ? JsonNull.NULL : value);
    }
    return written.build();
  }

  private static JsonObject policy(JsonObject policy) {
    var written = JsonObject.builder();
    for (var field : POLICY) {
      var value = policy.get(field);
      written.put(capital(field), value == null ? JsonNull.NULL : value);
    }
    return written.build();
  }

  private static String capital(String field) {
    return field.substring(0, 1).toUpperCase(Locale.ROOT) + field.substring(1);
  }

  /** The behavior in the annotation, or null when there is none; field names match in any case. */
  static @Nullable JsonObject toV2(JsonObject written) {
    var behavior = pick(written, DIRECTIONS);
    for (var direction : DIRECTIONS) {
      if (behavior.get(direction) instanceof JsonObject rules) {
        var read = pick(rules, RULES);
        if (read.get("policies") instanceof JsonArray policies) {
          read =
              read.with(
                  "policies",
                  policies.map(
                      policy -> policy instanceof JsonObject one ? pick(one, POLICY) : policy));
        }
        behavior = behavior.with(direction, read);
      }
    }
    return behavior.isEmpty() ? null : behavior;
  }

  private static JsonObject pick(JsonObject written, List<String> fields) {
    var picked = JsonObject.builder();
    for (var field : fields) {
      Json found = null;
      for (int i = 0; i < written.size(); i++) {
        if (written.key(i).equalsIgnoreCase(field)) {
          found = written.value(i);
        }
      }
      picked.putIf(field, found == JsonNull.NULL ? null : found);
    }
    return picked.build();
  }
}
