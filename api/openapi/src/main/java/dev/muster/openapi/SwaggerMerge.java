package dev.muster.openapi;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One document of version 2 made of several. Paths of the first one win; a definition or parameter
 * that means something else under a name that is taken gets another name.
 */
public final class SwaggerMerge {
  private static final List<String> SHARED = List.of("definitions", "parameters");

  private SwaggerMerge() {}

  /**
   * What of a document is about paths below one, with all that these refer to.
   *
   * @throws RuntimeException when it cannot be shown in every form
   */
  public static JsonObject below(JsonObject swagger, String prefix) {
    var paths = JsonObject.builder();
    var all = swagger.object("paths");
    for (int i = 0; i < all.size(); i++) {
      if (all.key(i).startsWith(prefix) || (all.key(i) + "/").equals(prefix)) {
        paths.put(all.key(i), all.value(i));
      }
    }
    var kept = paths.build();
    var result = JsonObject.builder().put("paths", kept);
    var used = reachable(swagger, kept);
    for (var section : SHARED) {
      var needed = JsonObject.builder();
      var entries = swagger.object(section);
      for (int i = 0; i < entries.size(); i++) {
        if (used.contains(reference(section, entries.key(i)))) {
          needed.put(entries.key(i), entries.value(i));
        }
      }
      result.put(section, needed.build());
    }
    var some = result.build();
    var _ = OpenApiProtobuf.document(some);
    return some;
  }

  private static Set<String> reachable(JsonObject swagger, Json start) {
    var found = new HashSet<String>();
    var open = new ArrayDeque<Json>();
    open.add(start);
    while (!open.isEmpty()) {
      var references = new ArrayList<String>();
      collect(open.remove(), references);
      for (var reference : references) {
        var parts = reference.split("/", 3);
        if (parts.length == 3 && SHARED.contains(parts[1]) && found.add(reference)) {
          var meant = swagger.object(parts[1]).get(unescaped(parts[2]));
          if (meant != null) {
            open.add(meant);
          }
        }
      }
    }
    return found;
  }

  private static void collect(Json value, Collection<String> references) {
    if (value instanceof JsonObject object) {
      for (int i = 0; i < object.size(); i++) {
        if (object.key(i).equals("$ref") && object.value(i) instanceof JsonString(var text)) {
          references.add(text);
        } else {
          collect(object.value(i), references);
        }
      }
    } else if (value instanceof JsonArray array) {
      array.forEach(each -> collect(each, references));
    }
  }

  /** The first one with what the others add. */
  public static JsonObject of(JsonObject own, List<JsonObject> others) {
    var merged = own;
    for (var other : others) {
      var names = new HashMap<String, String>();
      for (var section : SHARED) {
        rename(section, merged.object(section), other.object(section), names);
      }
      for (var section : SHARED) {
        merged = merged.with(section, withOthers(section, merged, other, names));
      }
      var paths = merged.object("paths").toBuilder();
      var more = other.object("paths");
      for (int i = 0; i < more.size(); i++) {
        if (!paths.has(more.key(i))) {
          paths.put(more.key(i), renamed(more.value(i), names));
        }
      }
      merged = merged.with("paths", paths.build());
    }
    return merged;
  }

  /** Finds other names for what is there already and is something else. */
  private static void rename(
      String section, JsonObject present, JsonObject more, Map<String, String> names) {
    for (int i = 0; i < more.size(); i++) {
      var name = more.key(i);
      var known = present.get(name);
      if (known != null && !known.equals(more.value(i))) {
        int number = 2;
        while (present.has(name + "_v" + number) || more.has(name + "_v" + number)) {
          number++;
        }
        names.put(reference(section, name), reference(section, name + "_v" + number));
      }
    }
  }

  private static JsonObject withOthers(
      String section, JsonObject merged, JsonObject other, Map<String, String> names) {
    var all = merged.object(section).toBuilder();
    var more = other.object(section);
    for (int i = 0; i < more.size(); i++) {
      var reference = reference(section, more.key(i));
      var renamed = names.get(reference);
      var name = renamed == null ? more.key(i) : unescaped(renamed.split("/", 3)[2]);
      if (!all.has(name)) {
        all.put(name, renamed(more.value(i), names));
      }
    }
    return all.build();
  }

  private static Json renamed(Json value, Map<String, String> names) {
    if (names.isEmpty()) {
      return value;
    }
    if (value instanceof JsonObject object) {
      return object.mapValues(
          (key, each) ->
              key.equals("$ref") && each instanceof JsonString(var text)
                  ? Json.of(names.getOrDefault(text, text))
                  : renamed(each, names));
    }
    return value instanceof JsonArray array ? array.map(each -> renamed(each, names)) : value;
  }

  private static String reference(String section, String name) {
    return "#/" + section + "/" + name.replace("~", "~0").replace("/", "~1");
  }

  private static String unescaped(String name) {
    return name.replace("~1", "/").replace("~0", "~");
  }
}
