package dev.muster.wire.yaml;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import dev.muster.wire.DecodeException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A mapping while it is read: its keys are sorted, the last of several values of a key counts, and
 * what is merged counts where it is merged. Used once, by one thread.
 */
final class YamlMapping {
  private static final String NOT_MERGEABLE =
      "yaml: map merge requires map or sequence of maps as the value";

  private final TreeMap<String, Json> members = new TreeMap<>();
  private final Set<Json> keys = new HashSet<>();
  private final List<String> repeated;
  private final @Nullable Map<JsonObject, Map<String, Integer>> known;
  private final @Nullable Map<String, Integer> lines;

  /**
   * @param repeated takes what is to be said about keys that stand there twice
   * @param known where the values of other mappings stand, or null when nobody wants to know
   */
  YamlMapping(List<String> repeated, @Nullable Map<JsonObject, Map<String, Integer>> known) {
    this.repeated = repeated;
    this.known = known;
    this.lines = known == null ? null : new HashMap<>();
  }

  /**
   * @param key the key as it was written, which need not be a text
   * @param line the line on which the value begins
   */
  void put(Json key, String name, Json value, int line) {
    if (!keys.add(key)) {
      repeated.add("line " + line + ": key " + quoted(key) + " already set in map");
    }
    members.put(name, value);
    if (lines != null) {
      lines.put(name, line);
    }
  }

  private static String quoted(Json key) {
    return key instanceof JsonString string ? GoText.quote(string.value()) : key.toString();
  }

  /** Takes over the members of a mapping, or of several of which the first count most. */
  void merge(Json value) {
    switch (value) {
      case JsonObject object -> take(object);
      case JsonArray list -> {
        for (int i = list.size() - 1; i >= 0; i--) {
          if (!(list.get(i) instanceof JsonObject object)) {
            throw new DecodeException(NOT_MERGEABLE);
          }
          take(object);
        }
      }
      default -> throw new DecodeException(NOT_MERGEABLE);
    }
  }

  private void take(JsonObject object) {
    var theirs = known == null ? null : known.get(object);
    for (int i = 0; i < object.size(); i++) {
      var line = theirs == null ? null : theirs.get(object.key(i));
      put(Json.of(object.key(i)), object.key(i), object.value(i), line == null ? 0 : line);
    }
  }

  JsonObject build() {
    var object = JsonObject.builder();
    members.forEach(object::append);
    var built = object.build();
    if (known != null && lines != null) {
      known.put(built, lines);
    }
    return built;
  }
}
