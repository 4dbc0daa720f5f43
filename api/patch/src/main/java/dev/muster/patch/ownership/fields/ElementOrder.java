package dev.muster.patch.ownership.fields;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonInteger;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonNumber;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import org.jspecify.annotations.Nullable;

/**
 * The order of path elements in fieldsV1: fields, keys, values, indexes, each by content; numbers
 * by value, strings by their UTF-8 bytes.
 */
public final class ElementOrder {
  private ElementOrder() {}

  static int compare(String left, String right) {
    char kind = left.charAt(0);
    if (kind != right.charAt(0)) {
      return Integer.compare("fkvi".indexOf(kind), "fkvi".indexOf(right.charAt(0)));
    }
    return switch (kind) {
      case 'f' -> compareTexts(left, right);
      case 'i' ->
          Integer.compare(
              Integer.parseInt(left.substring(2)), Integer.parseInt(right.substring(2)));
      default -> left.equals(right) ? 0 : compareContents(left, right);
    };
  }

  /** Compares strings by their UTF-8 bytes, in which surrogate pairs follow U+E000. */
  public static int compareTexts(String left, String right) {
    int length = Math.min(left.length(), right.length());
    for (int i = 0; i < length; i++) {
      char l = left.charAt(i);
      char r = right.charAt(i);
      if (l != r) {
        boolean surrogates = Character.isSurrogate(l) != Character.isSurrogate(r);
        return surrogates && l >= '\ud800' && r >= '\ud800'
            ? (Character.isSurrogate(l) ? 1 : -1)
            : Character.compare(l, r);
      }
    }
    return Integer.compare(left.length(), right.length());
  }

  /**
   * Compares two elements as text if they first differ inside the same string or number, as nearly
   * all do; otherwise as parsed JSON.
   */
  private static int compareContents(String left, String right) {
    int length = Math.min(left.length(), right.length());
    int at = 2;
    int start = -1;
    while (at < length && left.charAt(at) == right.charAt(at)) {
      char c = left.charAt(at);
      if (c == '\\') {
        return compareJson(left, right);
      }
      if (c == '"') {
        start = start < 0 ? at : -1;
      }
      at++;
    }
    if (start < 0) {
      return compareNumbers(left, right, at);
    }
    var l = textUntilQuote(left, at);
    var r = textUntilQuote(right, at);
    return l == null || r == null ? compareJson(left, right) : compareTexts(l, r);
  }

  private static @Nullable String textUntilQuote(String element, int from) {
    int end = element.indexOf('"', from);
    int escape = element.indexOf('\\', from);
    return end < 0 || (escape >= 0 && escape < end) ? null : element.substring(from, end);
  }

  private static int compareNumbers(String left, String right, int at) {
    int from = at;
    while (from > 2 && isDigit(left, from - 1)) {
      from--;
    }
    long l = integer(left, from);
    long r = integer(right, from);
    return l < 0 || r < 0 || l == r ? compareJson(left, right) : Long.compare(l, r);
  }

  /** The non-negative integer that starts at that position; -1 when there is none. */
  private static long integer(String element, int from) {
    int end = from;
    while (end < element.length() && isDigit(element, end)) {
      end++;
    }
    boolean ends = end == element.length() || ",}".indexOf(element.charAt(end)) >= 0;
    boolean starts = ":".indexOf(element.charAt(from - 1)) >= 0;
    return starts && ends && end > from && end - from < 18
        ? Long.parseLong(element, from, end, 10)
        : -1;
  }

  private static boolean isDigit(String element, int at) {
    return element.charAt(at) >= '0' && element.charAt(at) <= '9';
  }

  private static int compareJson(String left, String right) {
    return compare(Elements.content(left), Elements.content(right));
  }

  /** Compares values of any type; the members of objects count in their order. */
  static int compare(Json left, Json right) {
    int byType = Integer.compare(rank(left), rank(right));
    if (byType != 0) {
      return byType;
    }
    return switch (left) {
      case JsonInteger l when right instanceof JsonInteger r -> Long.compare(l.value(), r.value());
      case JsonNumber l -> Double.compare(l.doubleValue(), ((JsonNumber) right).doubleValue());
      case JsonString l -> compareTexts(l.value(), ((JsonString) right).value());
      case JsonBool l -> Boolean.compare(l.value(), ((JsonBool) right).value());
      case JsonArray l -> compare(l, (JsonArray) right);
      case JsonObject l -> compare(l, (JsonObject) right);
      case JsonNull ignored -> 0;
    };
  }

  private static int compare(JsonArray left, JsonArray right) {
    for (int i = 0; i < Math.min(left.size(), right.size()); i++) {
      int order = compare(left.get(i), right.get(i));
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(left.size(), right.size());
  }

  private static int compare(JsonObject left, JsonObject right) {
    for (int i = 0; i < Math.min(left.size(), right.size()); i++) {
      int order = compareTexts(left.key(i), right.key(i));
      order = order != 0 ? order : compare(left.value(i), right.value(i));
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(left.size(), right.size());
  }

  private static int rank(Json value) {
    return switch (value) {
      case JsonNumber ignored -> 0;
      case JsonString ignored -> 1;
      case JsonBool ignored -> 2;
      case JsonArray ignored -> 3;
      case JsonObject ignored -> 4;
      case JsonNull ignored -> 5;
    };
  }
}
