package dev.muster.patch;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The values of a document during a JSON patch. Each is an immutable {@link Json} until something
 * in it changes, then a mutable {@link Members} or {@link Items}.
 */
final class DraftValues {
  private DraftValues() {}

  /** A mutable object. */
  record Members(Map<String, Object> values) {}

  /** A mutable array. */
  record Items(ChunkedList values) {}

  /** The value as a mutable container; null when it is neither an object nor an array. */
  static @Nullable Object open(Object value, boolean sorts) {
    return switch (value) {
      case JsonObject object -> {
        Map<String, Object> members = sorts ? new TreeMap<>() : new LinkedHashMap<>();
        for (int i = 0; i < object.size(); i++) {
          members.put(object.key(i), object.value(i));
        }
        yield new Members(members);
      }
      case JsonArray array -> new Items(new ChunkedList(array));
      case Members members -> members;
      case Items items -> items;
      default -> null;
    };
  }

  /** The value with the members of all its objects sorted by name. */
  static Object sorted(Object value) {
    return switch (open(value, true)) {
      case Members members -> {
        members.values().replaceAll((key, member) -> sorted(member));
        yield members;
      }
      case Items items -> {
        for (int i = 0; i < items.values().size(); i++) {
          items.values().set(i, sorted(items.values().get(i)));
        }
        yield items;
      }
      case null, default -> value;
    };
  }

  /** Whether a draft value equals the given value; stops at the first difference in size. */
  static boolean same(Object value, Object wanted) {
    return switch (value) {
      case Members members -> {
        if (!(wanted instanceof JsonObject object) || object.size() != members.values().size()) {
          yield false;
        }
        for (int i = 0; i < object.size(); i++) {
          var mine = members.values().get(object.key(i));
          if (mine == null || !same(mine, object.value(i))) {
            yield false;
          }
        }
        yield true;
      }
      case Items items -> {
        if (!(wanted instanceof JsonArray array) || array.size() != items.values().size()) {
          yield false;
        }
        int i = 0;
        for (var item : items.values()) {
          if (!same(item, array.get(i++))) {
            yield false;
          }
        }
        yield true;
      }
      default -> value.equals(wanted);
    };
  }

  /** The value as JSON, or null when mutable containers nest deeper than the limit. */
  static @Nullable Json freeze(Object value, int deepest) {
    if (deepest < 0) {
      return null;
    }
    return switch (value) {
      case Members members -> freeze(members, deepest);
      case Items items -> freeze(items, deepest);
      case Json json -> json;
      default -> throw new IllegalStateException("not a value");
    };
  }

  private static @Nullable Json freeze(Members members, int deepest) {
    var keys = new String[members.values().size()];
    var values = new Json[keys.length];
    int i = 0;
    for (var entry : members.values().entrySet()) {
      var frozen = freeze(entry.getValue(), deepest - 1);
      if (frozen == null) {
        return null;
      }
      keys[i] = entry.getKey();
      values[i++] = frozen;
    }
    return JsonObject.ofUnique(keys, values);
  }

  private static @Nullable Json freeze(Items items, int deepest) {
    var values = new Json[items.values().size()];
    int i = 0;
    for (var item : items.values()) {
      var frozen = freeze(item, deepest - 1);
      if (frozen == null) {
        return null;
      }
      values[i++] = frozen;
    }
    return JsonArray.owning(values);
  }
}
