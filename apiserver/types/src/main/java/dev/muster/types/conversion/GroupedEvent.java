package dev.muster.types.conversion;

import dev.muster.model.json.JsonObject;
import java.util.HashMap;
import java.util.Map;

/**
 * Converts events between {@code events.k8s.io} and the core group, which have the same fields
 * under different names.
 */
public final class GroupedEvent implements Conversion {
  private static final Map<String, String> STORED_NAMES =
      Map.of(
          "note", "message",
          "regarding", "involvedObject",
          "reportingController", "reportingComponent",
          "deprecatedSource", "source",
          "deprecatedFirstTimestamp", "firstTimestamp",
          "deprecatedLastTimestamp", "lastTimestamp",
          "deprecatedCount", "count");

  private static final Map<String, String> GROUPED_NAMES = inverse();

  private static Map<String, String> inverse() {
    var inverse = new HashMap<String, String>();
    STORED_NAMES.forEach((grouped, stored) -> inverse.put(stored, grouped));
    return Map.copyOf(inverse);
  }

  @Override
  public JsonObject toStored(JsonObject object) {
    return renamed(object, STORED_NAMES);
  }

  @Override
  public JsonObject fromStored(JsonObject stored) {
    return renamed(stored, GROUPED_NAMES);
  }

  private static JsonObject renamed(JsonObject object, Map<String, String> names) {
    var renamed = JsonObject.builder();
    for (int i = 0; i < object.size(); i++) {
      renamed.put(names.getOrDefault(object.key(i), object.key(i)), object.value(i));
    }
    return renamed.build();
  }
}
