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
 * Collects the members of a mapping while it is read. It sorts the keys and keeps the last of
 * several values of a key; merged members count at the place of the merge. One thread uses it once.
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
   * @param repeated receives the messages about repeated keys
   * @param known the lines of the values of other mappings, or null when the caller does not need
   *     lines
   */
  YamlMapping(List<String> repeated, @Nullable Map<JsonObject, Map<String, Integer>> known) {
    this.repeated = repeated;
    this.known = known;
    this.lines = known == null ? null : new HashMap<>();
  }

  /**
   * @param key the key as written, which need not be a text
   * @param line the line on which the value starts
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

  /**
   * Merges the members of one mapping, or of several mappings of which the first takes precedence.
   */
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
