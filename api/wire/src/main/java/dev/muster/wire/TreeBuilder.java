package dev.muster.wire;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Builds a JSON tree from tokens without recursion: members stay on one stack until the end of
 * their object or array. One thread uses it once.
 */
final class TreeBuilder {
  /** Up to this number of keys, a scan of all keys finds a repeated one. */
  private static final int FEW = 12;

  /** Creates the value of a number token. */
  interface Numbers {
    Json number(JsonParser parser, boolean integer);
  }

  private @Nullable String[] keys = new String[64];
  private @Nullable Json[] values = new Json[64];
  private int top;

  /** For each open object or array, the start of its members; negative (complement) for arrays. */
  private int[] frames = new int[16];

  private int depth;
  private @Nullable Duplicates duplicates;

  Document build(JsonParser parser, Numbers numbers) {
    for (var token = parser.nextToken(); token != null; token = parser.nextToken()) {
      take(token, parser, numbers);
    }
    var root = top == 1 ? values[0] : null;
    if (root == null) {
      throw new DecodeException("unexpected end of JSON input");
    }
    return new Document(root, List.of(), duplicates == null ? Duplicates.NONE : duplicates);
  }

  private void take(JsonToken token, JsonParser parser, Numbers numbers) {
    switch (token) {
      case PROPERTY_NAME -> {
        grow();
        keys[top] = parser.currentName();
      }
      case START_OBJECT -> open(true);
      case START_ARRAY -> open(false);
      case END_OBJECT -> closeObject();
      case END_ARRAY -> closeArray();
      case VALUE_STRING -> push(new JsonString(parser.getString()));
      case VALUE_NUMBER_INT -> push(numbers.number(parser, true));
      case VALUE_NUMBER_FLOAT -> push(numbers.number(parser, false));
      case VALUE_TRUE -> push(JsonBool.TRUE);
      case VALUE_FALSE -> push(JsonBool.FALSE);
      case VALUE_NULL -> push(JsonNull.NULL);
      case VALUE_EMBEDDED_OBJECT, NOT_AVAILABLE -> throw new DecodeException("unexpected " + token);
    }
  }

  private void grow() {
    if (top == keys.length) {
      keys = Arrays.copyOf(keys, top * 2);
      values = Arrays.copyOf(values, top * 2);
    }
  }

  private void push(Json value) {
    if (depth == 0 && top > 0) {
      throw new DecodeException("more than one value");
    }
    grow();
    values[top++] = value;
  }

  private void open(boolean object) {
    push(JsonNull.NULL);
    if (depth == frames.length) {
      frames = Arrays.copyOf(frames, depth * 2);
    }
    frames[depth++] = object ? top : ~top;
  }

  private void closeArray() {
    int start = ~frames[--depth];
    var items = new Json[top - start];
    System.arraycopy(values, start, items, 0, items.length);
    close(start, JsonArray.owning(items));
  }

  private void closeObject() {
    int start = frames[--depth];
    int size = top - start;
    var names = new String[size];
    var members = new Json[size];
    System.arraycopy(keys, start, names, 0, size);
    System.arraycopy(values, start, members, 0, size);
    close(
        start,
        unique(names) ? JsonObject.ofUnique(names, members) : withoutRepeats(names, members));
  }

  private void close(int start, Json value) {
    Arrays.fill(values, start, top, null);
    values[start - 1] = value;
    top = start;
  }

  private static boolean unique(String[] names) {
    if (names.length > FEW) {
      var seen = HashMap.<String, Boolean>newHashMap(names.length);
      for (var name : names) {
        if (seen.put(name, true) != null) {
          return false;
        }
      }
      return true;
    }
    for (int i = 1; i < names.length; i++) {
      for (int j = 0; j < i; j++) {
        if (names[i].equals(names[j])) {
          return false;
        }
      }
    }
    return true;
  }

  private JsonObject withoutRepeats(String[] names, Json[] members) {
    var positions = HashMap.<String, Integer>newHashMap(names.length);
    var kept = new ArrayList<String>(names.length);
    var values = new ArrayList<Json>(names.length);
    var repeats = new ArrayList<Duplicates.Duplicate>();
    for (int i = 0; i < names.length; i++) {
      var position = positions.putIfAbsent(names[i], kept.size());
      if (position == null) {
        kept.add(names[i]);
        values.add(members[i]);
      } else {
        repeats.add(new Duplicates.Duplicate(names[i], kept.size(), values.get(position)));
        values.set(position, members[i]);
      }
    }
    var object = JsonObject.ofUnique(kept.toArray(new String[0]), values.toArray(new Json[0]));
    if (duplicates == null) {
      duplicates = new Duplicates();
    }
    duplicates.add(object, repeats);
    return object;
  }
}
