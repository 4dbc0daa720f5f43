package dev.muster.patch;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonNumber;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;

/** Computes the length of values as JSON, up to a limit. */
final class JsonSize {
  private JsonSize() {}

  /**
   * The length in bytes without whitespace; some number above the limit when the value is longer,
   * or deeper than the given depth.
   */
  static long of(Json value, long limit, int deepest) {
    if (deepest < 0) {
      return limit + 1;
    }
    return switch (value) {
      case JsonObject object -> {
        long size = Math.max(2, object.size() * 2L + 1);
        for (int i = 0; i < object.size() && size <= limit; i++) {
          size += text(object.key(i));
          size += of(object.value(i), limit - size, deepest - 1);
        }
        yield size;
      }
      case JsonArray array -> {
        long size = Math.max(2, array.size() + 1L);
        for (int i = 0; i < array.size() && size <= limit; i++) {
          size += of(array.get(i), limit - size, deepest - 1);
        }
        yield size;
      }
      case JsonString string -> text(string.value());
      case JsonNumber number -> number.toString().length();
      case JsonBool bool -> bool.value() ? 4 : 5;
      case JsonNull ignored -> 4;
    };
  }

  private static long text(String text) {
    long size = 2;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x20 || c == '<' || c == '>' || c == '&') {
        size += c == '\n' || c == '\t' || c == '\r' ? 2 : 6;
      } else if (c == '"' || c == '\\') {
        size += 2;
      } else if (c < 0x80) {
        size++;
      } else {
        size += c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
      }
    }
    return size;
  }
}
