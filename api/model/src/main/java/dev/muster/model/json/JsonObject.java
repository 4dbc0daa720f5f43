package dev.muster.model.json;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * An immutable JSON object that keeps the order of its keys. Two objects are equal when they have
 * the same members in any order. Keys are unique.
 */
public final class JsonObject implements Json {
  public static final JsonObject EMPTY = new JsonObject(new String[0], new Json[0]);

  /** Above this size a lookup uses a hash table; up to this size it scans. */
  private static final int SCAN_LIMIT = 12;

  private final String[] keys;
  private final Json[] values;
  private @Nullable KeyIndex index;

  private JsonObject(String[] keys, Json[] values) {
    this.keys = keys;
    this.values = values;
  }

  /** An object of alternating keys and values: strings, numbers and booleans are wrapped. */
  public static JsonObject of(Object... keysAndValues) {
    var builder = builder();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      var value =
          switch (keysAndValues[i + 1]) {
            case Json json -> json;
            case String text -> Json.of(text);
            case Long number -> Json.of(number);
            case Integer number -> Json.of(number.longValue());
            case Boolean bool -> Json.of(bool);
            case Object other ->
                throw new IllegalArgumentException("not JSON: " + other.getClass());
          };
      builder.put((String) keysAndValues[i], value);
    }
    return builder.build();
  }

  public static JsonObject ofStrings(Map<String, String> texts) {
    var builder = builder();
    texts.forEach(builder::put);
    return builder.build();
  }

  /** An object whose keys the caller knows to be unique; takes ownership of the arrays. */
  public static JsonObject ofUnique(String[] keys, Json[] values) {
    return keys.length == 0 ? EMPTY : new JsonObject(keys, values);
  }

  public static Builder builder() {
    return new Builder();
  }

  public Builder toBuilder() {
    return new Builder(this);
  }

  public int size() {
    return keys.length;
  }

  public boolean isEmpty() {
    return keys.length == 0;
  }

  public String key(int index) {
    return keys[index];
  }

  public Json value(int index) {
    return values[index];
  }

  public List<String> keys() {
    return List.of(keys);
  }

  public int indexOf(String key) {
    if (keys.length > SCAN_LIMIT) {
      return lookUp(key);
    }
    for (int i = 0; i < keys.length; i++) {
      if (keys[i].equals(key)) {
        return i;
      }
    }
    return -1;
  }

  private int lookUp(String key) {
    var found = index;
    if (found == null) {
      found = KeyIndex.of(keys);
      index = found;
    }
    return found.find(keys, key);
  }

  public boolean has(String key) {
    return indexOf(key) >= 0;
  }

  public @Nullable Json get(String key) {
    int index = indexOf(key);
    return index < 0 ? null : values[index];
  }

  /** The value at the end of that path of keys, or null. */
  public @Nullable Json at(String... path) {
    Json value = this;
    for (var key : path) {
      if (!(value instanceof JsonObject object)) {
        return null;
      }
      value = object.get(key);
    }
    return value;
  }

  /** The object under that key, or an empty one. */
  public JsonObject object(String key) {
    return get(key) instanceof JsonObject object ? object : EMPTY;
  }

  /** The object at the end of that path, or an empty one. */
  public JsonObject object(String first, String... rest) {
    var object = object(first);
    for (var key : rest) {
      object = object.object(key);
    }
    return object;
  }

  /** The array under that key, or an empty one. */
  public JsonArray array(String key) {
    return get(key) instanceof JsonArray array ? array : JsonArray.EMPTY;
  }

  /** The text under that key, or "". */
  public String string(String key) {
    return get(key) instanceof JsonString string ? string.value() : "";
  }

  /** The integer under that key, or the given default. */
  public long integer(String key, long otherwise) {
    return get(key) instanceof JsonInteger number ? number.value() : otherwise;
  }

  /** Whether the value under that key is true. */
  public boolean isTrue(String key) {
    return get(key) == JsonBool.TRUE;
  }

  public JsonObject with(String key, Json value) {
    int index = indexOf(key);
    if (index >= 0) {
      if (values[index] == value) {
        return this;
      }
      var copy = values.clone();
      copy[index] = value;
      return new JsonObject(keys, copy);
    }
    var newKeys = Arrays.copyOf(keys, keys.length + 1);
    var newValues = Arrays.copyOf(values, values.length + 1);
    newKeys[keys.length] = key;
    newValues[keys.length] = value;
    return new JsonObject(newKeys, newValues);
  }

  public JsonObject with(String key, String value) {
    return with(key, Json.of(value));
  }

  public JsonObject with(String key, long value) {
    return with(key, Json.of(value));
  }

  public JsonObject with(String key, boolean value) {
    return with(key, Json.of(value));
  }

  /** This object with that value at the end of the path; creates missing objects on the path. */
  public JsonObject withAt(Json value, String... path) {
    return withAt(value, path, 0);
  }

  private JsonObject withAt(Json value, String[] path, int depth) {
    if (depth == path.length - 1) {
      return with(path[depth], value);
    }
    return with(path[depth], object(path[depth]).withAt(value, path, depth + 1));
  }

  public JsonObject without(String key) {
    int index = indexOf(key);
    if (index < 0) {
      return this;
    }
    var newKeys = new String[keys.length - 1];
    var newValues = new Json[keys.length - 1];
    System.arraycopy(keys, 0, newKeys, 0, index);
    System.arraycopy(values, 0, newValues, 0, index);
    System.arraycopy(keys, index + 1, newKeys, index, newKeys.length - index);
    System.arraycopy(values, index + 1, newValues, index, newKeys.length - index);
    return new JsonObject(newKeys, newValues);
  }

  /** This object without the value at the end of the path. */
  public JsonObject withoutAt(String... path) {
    return withoutAt(path, 0);
  }

  private JsonObject withoutAt(String[] path, int depth) {
    if (depth == path.length - 1) {
      return without(path[depth]);
    }
    return get(path[depth]) instanceof JsonObject child
        ? with(path[depth], child.withoutAt(path, depth + 1))
        : this;
  }

  /** This object with the members of the other one whose keys it does not have. */
  public JsonObject filledFrom(JsonObject other) {
    Builder filled = null;
    for (int i = 0; i < other.keys.length; i++) {
      if (!has(other.keys[i])) {
        filled = filled == null ? toBuilder() : filled;
        filled.append(other.keys[i], other.values[i]);
      }
    }
    return filled == null ? this : filled.build();
  }

  /** This object with other values; the same instance when none differs. */
  public JsonObject mapValues(BiFunction<String, Json, Json> change) {
    Json[] changed = null;
    for (int i = 0; i < values.length; i++) {
      var value = change.apply(keys[i], values[i]);
      if (value != values[i]) {
        changed = changed == null ? values.clone() : changed;
        changed[i] = value;
      }
    }
    return changed == null ? this : new JsonObject(keys, changed);
  }

  /** The members whose values are strings, in order. */
  public Map<String, String> strings() {
    var found = new LinkedHashMap<String, String>();
    for (int i = 0; i < keys.length; i++) {
      if (values[i] instanceof JsonString string) {
        found.put(keys[i], string.value());
      }
    }
    return found;
  }

  @Override
  public boolean equals(Object other) {
    if (this == other) {
      return true;
    }
    if (!(other instanceof JsonObject object) || object.keys.length != keys.length) {
      return false;
    }
    for (int i = 0; i < keys.length; i++) {
      var theirs = keys[i].equals(object.keys[i]) ? object.values[i] : object.get(keys[i]);
      if (theirs == null || !values[i].equals(theirs)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public int hashCode() {
    int hash = keys.length;
    for (int i = 0; i < keys.length; i++) {
      hash += keys[i].hashCode() ^ values[i].hashCode();
    }
    return hash;
  }

  @Override
  public String toString() {
    var out = new StringBuilder();
    JsonText.write(this, out);
    return out.toString();
  }

  /** Collects members; putting a key again replaces its value in place. Only one thread uses it. */
  public static final class Builder {
    private final ArrayList<String> keys;
    private final ArrayList<Json> values;
    private @Nullable Map<String, Integer> positions;

    private Builder() {
      keys = new ArrayList<>();
      values = new ArrayList<>();
    }

    private Builder(JsonObject from) {
      keys = new ArrayList<>(Arrays.asList(from.keys));
      values = new ArrayList<>(Arrays.asList(from.values));
    }

    public Builder put(String key, Json value) {
      int index = position(key);
      if (index >= 0) {
        values.set(index, value);
      } else {
        append(key, value);
      }
      return this;
    }

    /** Adds a member whose key the caller knows to be new. */
    public Builder append(String key, Json value) {
      if (positions != null) {
        positions.put(key, keys.size());
      }
      keys.add(key);
      values.add(value);
      return this;
    }

    private int position(String key) {
      if (keys.size() <= SCAN_LIMIT) {
        return keys.indexOf(key);
      }
      var known = positions;
      if (known == null) {
        known = new HashMap<>();
        for (int i = 0; i < keys.size(); i++) {
          known.put(keys.get(i), i);
        }
        positions = known;
      }
      return known.getOrDefault(key, -1);
    }

    public Builder put(String key, String value) {
      return put(key, Json.of(value));
    }

    public Builder put(String key, long value) {
      return put(key, Json.of(value));
    }

    public Builder put(String key, boolean value) {
      return put(key, Json.of(value));
    }

    /** Adds the member unless the value is null. */
    public Builder putIf(String key, @Nullable Json value) {
      return value == null ? this : put(key, value);
    }

    /** Adds the member unless the text is empty. */
    public Builder putIf(String key, String value) {
      return value.isEmpty() ? this : put(key, value);
    }

    public boolean has(String key) {
      return position(key) >= 0;
    }

    public int size() {
      return keys.size();
    }

    public JsonObject build() {
      return keys.isEmpty()
          ? EMPTY
          : new JsonObject(keys.toArray(new String[0]), values.toArray(new Json[0]));
    }
  }
}
