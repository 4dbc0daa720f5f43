package dev.muster.replica;

import dev.muster.wire.JsonReader;
import java.io.ByteArrayOutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Finds single values in compact, well-formed JSON text without reading the rest of it. */
final class JsonScan {
  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101010101010101L;
  private static final long QUOTES = ONES * '"';
  private static final long BACKSLASHES = ONES * '\\';

  private final byte[] text;
  private int at;

  private JsonScan(byte[] text) {
    this.text = text;
  }

  /** Where a value stands in its text. */
  record Span(int start, int end) {
    static final Span NONE = new Span(-1, -1);

    boolean found() {
      return start >= 0;
    }
  }

  /** The value at the end of that path of object keys, which must be ASCII without escapes. */
  static Span find(byte[] text, String... path) {
    var scan = new JsonScan(text);
    for (var key : path) {
      if (!scan.enter(key)) {
        return Span.NONE;
      }
    }
    int start = scan.at;
    scan.skip();
    return new Span(start, scan.at);
  }

  /** The string at the end of that path, or "" when there is none. */
  static String string(byte[] text, String... path) {
    var span = find(text, path);
    if (!span.found() || text[span.start] != '"') {
      return "";
    }
    var raw = new String(text, span.start + 1, span.end - span.start - 2, StandardCharsets.UTF_8);
    return raw.indexOf('\\') < 0 ? raw : unescape(text, span);
  }

  private static String unescape(byte[] text, Span span) {
    var value = JsonReader.document(text, span.start, span.end - span.start).value().text();
    return value == null ? "" : value;
  }

  /** The text without all members of that key, which must be ASCII without escapes. */
  static byte[] without(byte[] text, String key) {
    var kept = new ByteArrayOutputStream(1024);
    var scan = new JsonScan(text);
    int from = 0;
    while (scan.at < text.length) {
      int start = scan.at;
      if (text[start] != '"') {
        scan.at++;
        continue;
      }
      scan.string();
      boolean same = scan.matches(key, start + 1, scan.at - 1);
      scan.space();
      if (same && scan.at < text.length && text[scan.at] == ':') {
        scan.at++;
        scan.space();
        scan.skip();
        scan.space();
        int before = scan.back(start);
        boolean first = before < from || text[before] != ',';
        kept.write(text, from, (first ? start : before) - from);
        scan.at += first && text[scan.at] == ',' ? 1 : 0;
        from = scan.at;
      }
    }
    kept.write(text, from, text.length - from);
    return kept.toByteArray();
  }

  /** Where the last byte before a place stands that is no space. */
  private int back(int place) {
    int before = place - 1;
    while (isSpace(text[before])) {
      before--;
    }
    return before;
  }

  /** Stands before the value of that key afterwards, if there is one. */
  private boolean enter(String key) {
    space();
    if (text[at] != '{') {
      return false;
    }
    at++;
    space();
    while (text[at] != '}') {
      int start = at + 1;
      skip();
      boolean same = matches(key, start, at - 1);
      space();
      at++; // the colon
      space();
      if (same) {
        return true;
      }
      skip();
      space();
      if (text[at] == ',') {
        at++;
        space();
      }
    }
    return false;
  }

  private boolean matches(String key, int start, int end) {
    if (end - start != key.length()) {
      return false;
    }
    for (int i = 0; i < key.length(); i++) {
      if (text[start + i] != key.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Passes one value. */
  private void skip() {
    int depth = 0;
    do {
      switch (text[at]) {
        case '"' -> string();
        case '{', '[' -> {
          depth++;
          at++;
        }
        case '}', ']' -> {
          depth--;
          at++;
        }
        case ',', ':', ' ', '\t', '\n', '\r' -> at++;
        default -> word();
      }
    } while (depth > 0);
  }

  private void string() {
    at++;
    while (true) {
      while (at + Long.BYTES <= text.length && plain((long) WORDS.get(text, at))) {
        at += Long.BYTES;
      }
      byte next = text[at++];
      if (next == '"') {
        return;
      }
      at += next == '\\' ? 1 : 0;
    }
  }

  /** Whether none of the eight bytes is a quote or a backslash. */
  private static boolean plain(long word) {
    return !hasZero(word ^ QUOTES) && !hasZero(word ^ BACKSLASHES);
  }

  private static boolean hasZero(long word) {
    return ((word - ONES) & ~word & (ONES << 7)) != 0;
  }

  /** Passes a number or a literal. */
  private void word() {
    while (at < text.length && ",:]} \t\n\r".indexOf(text[at]) < 0) {
      at++;
    }
  }

  private void space() {
    while (at < text.length && isSpace(text[at])) {
      at++;
    }
  }

  private static boolean isSpace(byte character) {
    return character == ' ' || character == '\n' || character == '\r' || character == '\t';
  }
}
