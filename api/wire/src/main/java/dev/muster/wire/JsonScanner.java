package dev.muster.wire;

import java.io.ByteArrayOutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Finds values in the bytes of JSON without parsing them. The input must be JSON that an encoder
 * wrote or a parser accepted. For other input the results are undefined, but every call ends and
 * truncated input is reported; {@link JsonSyntax} explains syntax errors.
 *
 * <p>A position is a byte offset; the {@code end} of a text is the position after it.
 */
public final class JsonScanner {
  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101010101010101L;
  private static final long QUOTES = ONES * '"';
  private static final long BACKSLASHES = ONES * '\\';

  private JsonScanner() {}

  /** The position of the first quote or backslash, or the end if there is none. */
  public static int special(byte[] json, int from, int end) {
    int at = from;
    for (; at <= end - Long.BYTES; at += Long.BYTES) {
      long word = (long) WORDS.get(json, at);
      long found = zeros(word ^ QUOTES) | zeros(word ^ BACKSLASHES);
      if (found != 0) {
        return at + (Long.numberOfTrailingZeros(found) >>> 3);
      }
    }
    while (at < end && json[at] != '"' && json[at] != '\\') {
      at++;
    }
    return at;
  }

  /** Marks bytes that are zero; the lowest mark is always right, higher ones may be wrong. */
  private static long zeros(long word) {
    return (word - ONES) & ~word & (ONES << 7);
  }

  /** The position after a string that starts with that opening quote. */
  public static int afterString(byte[] json, int quote, int end) {
    int at = special(json, quote + 1, end);
    while (at < end && json[at] == '\\') {
      at = special(json, at + 2, end);
    }
    if (at >= end) {
      throw cutOff();
    }
    return at + 1;
  }

  /** The position after the value that starts there. */
  public static int afterValue(byte[] json, int from, int end) {
    return afterValue(json, from, end, false);
  }

  /** The position after a value; refuses a value with whitespace between its tokens. */
  public static int afterCompactValue(byte[] json, int from, int end) {
    return afterValue(json, from, end, true);
  }

  private static int afterValue(byte[] json, int from, int end, boolean compact) {
    int at = from;
    int depth = 0;
    do {
      if (at >= end) {
        throw cutOff();
      }
      switch (json[at]) {
        case '"' -> at = afterString(json, at, end);
        case '{', '[' -> {
          depth++;
          at++;
        }
        case '}', ']' -> {
          depth--;
          at++;
        }
        case ',', ':' -> at++;
        case ' ', '\t', '\n', '\r' -> {
          if (compact) {
            throw new DecodeException("the JSON has spaces between its tokens");
          }
          at++;
        }
        default -> at = afterWord(json, at + 1, end);
      }
    } while (depth > 0);
    return at;
  }

  /** The end of a number or a literal. */
  private static int afterWord(byte[] json, int from, int end) {
    int at = from;
    while (at < end && isWord(json[at])) {
      at++;
    }
    return at;
  }

  private static boolean isWord(byte b) {
    return b > ' ' && b != ',' && b != '}' && b != ']' && b != ':' && b != '"';
  }

  /** The position of the first byte that is not whitespace. */
  public static int afterSpace(byte[] json, int from, int end) {
    int at = from;
    while (at < end && isSpace(json[at])) {
      at++;
    }
    return at;
  }

  private static boolean isSpace(byte b) {
    return b == ' ' || b == '\n' || b == '\r' || b == '\t';
  }

  /** Whether those bytes equal that text, which must be ASCII. */
  public static boolean isText(byte[] json, int from, int end, String text) {
    if (end - from != text.length()) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if (json[from + i] != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /**
   * The start of the value at the end of that path, or -1.
   *
   * @param path keys of objects, ASCII without escapes
   */
  public static int find(byte[] json, String... path) {
    return findIn(json, afterSpace(json, 0, json.length), path);
  }

  /**
   * The start of the value at the end of that path, or -1.
   *
   * @param from the start of the object in which the path begins
   */
  public static int findIn(byte[] json, int from, String... path) {
    int at = from;
    for (var key : path) {
      at = member(json, at, key);
      if (at < 0) {
        return -1;
      }
    }
    return at;
  }

  /** The start of that key's value in the object that starts at that position, or -1. */
  private static int member(byte[] json, int from, String key) {
    int end = json.length;
    if (from >= end || json[from] != '{') {
      return -1;
    }
    int at = afterSpace(json, from + 1, end);
    while (at < end && json[at] == '"') {
      int start = at + 1;
      at = afterString(json, at, end);
      boolean same = isText(json, start, at - 1, key);
      at = afterSpace(json, at, end) + 1; // the colon
      at = afterSpace(json, at, end);
      if (same) {
        return at;
      }
      at = afterSpace(json, afterValue(json, at, end), end);
      if (at < end && json[at] == ',') {
        at = afterSpace(json, at + 1, end);
      }
    }
    return -1;
  }

  /** The string at the end of that path, or "" when there is none. */
  public static String string(byte[] json, String... path) {
    return stringAt(json, find(json, path));
  }

  /** The string that starts at that position, or "" when there is none. */
  public static String stringAt(byte[] json, int start) {
    if (start < 0 || start >= json.length || json[start] != '"') {
      return "";
    }
    int end = special(json, start + 1, json.length);
    if (end < json.length && json[end] == '"') {
      return new String(json, start + 1, end - start - 1, StandardCharsets.UTF_8);
    }
    int length = afterString(json, start, json.length) - start;
    var value = JsonReader.document(json, start, length).value().text();
    return value == null ? "" : value;
  }

  /** The text without all members of that key, which must be ASCII without escapes. */
  public static byte[] without(byte[] json, String key) {
    var kept = new ByteArrayOutputStream(1024);
    int end = json.length;
    int from = 0;
    int at = 0;
    while (at < end) {
      int start = at;
      if (json[at] != '"') {
        at++;
        continue;
      }
      at = afterString(json, at, end);
      boolean same = isText(json, start + 1, at - 1, key);
      at = afterSpace(json, at, end);
      if (same && at < end && json[at] == ':') {
        at = afterSpace(json, at + 1, end);
        at = afterSpace(json, afterValue(json, at, end), end);
        int before = start - 1;
        while (before >= from && isSpace(json[before])) {
          before--;
        }
        boolean first = before < from || json[before] != ',';
        kept.write(json, from, (first ? start : before) - from);
        at += first && at < end && json[at] == ',' ? 1 : 0;
        from = at;
      }
    }
    kept.write(json, from, end - from);
    return kept.toByteArray();
  }

  private static DecodeException cutOff() {
    return new DecodeException("unexpected end of JSON input");
  }
}
