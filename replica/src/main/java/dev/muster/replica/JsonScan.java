package dev.muster.replica;

import dev.muster.wire.JsonReader;
import java.nio.charset.StandardCharsets;

/** Finds single values in compact, well-formed JSON text without reading the rest of it. */
final class JsonScan {
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
    while (text[at] != '"') {
      at += text[at] == '\\' ? 2 : 1;
    }
    at++;
  }

  /** Passes a number or a literal. */
  private void word() {
    while (at < text.length && ",:]} \t\n\r".indexOf(text[at]) < 0) {
      at++;
    }
  }

  private void space() {
    while (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t') {
      at++;
    }
  }
}
