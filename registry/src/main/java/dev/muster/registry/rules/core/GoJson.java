package dev.muster.registry.rules.core;

import dev.muster.model.go.GoText;
import java.nio.charset.StandardCharsets;

/** What Go's JSON decoder says about a text that should hold an object or a list. */
public final class GoJson {
  private final byte[] text;
  private int at;

  private GoJson(byte[] text) {
    this.text = text;
  }

  /** Ends the scan with a message. */
  private static final class Problem extends RuntimeException {
    Problem(String message) {
      super(message, null, false, false);
    }
  }

  /**
   * The message, or "" when the text is an object (or null).
   *
   * @param type what Go calls the type that it should be
   */
  public static String problem(byte[] text, String type) {
    return problem(text, '{', type);
  }

  /** The same for a text that should be a list. */
  public static String problemOfList(byte[] text, String type) {
    return problem(text, '[', type);
  }

  private static String problem(byte[] text, int wanted, String type) {
    var scanner = new GoJson(text);
    try {
      scanner.spaces();
      int first = scanner.peek();
      scanner.value();
      scanner.spaces();
      if (scanner.at < text.length) {
        throw scanner.invalid("after top-level value");
      }
      if (first == wanted || first == 'n') {
        return "";
      }
      return switch (first) {
        case '{' -> mismatch("object", type);
        case '[' -> mismatch("array", type);
        case '"' -> mismatch("string", type);
        case 't', 'f' -> mismatch("bool", type);
        default -> mismatch("number", type);
      };
    } catch (Problem e) {
      var message = e.getMessage();
      return message == null ? "" : message;
    }
  }

  private static String mismatch(String kind, String type) {
    return "json: cannot unmarshal " + kind + " into Go value of type " + type;
  }

  private int peek() {
    if (at >= text.length) {
      throw new Problem("unexpected end of JSON input");
    }
    return text[at] & 255;
  }

  private Problem invalid(String where) {
    int c = peek();
    var quoted =
        switch (c) {
          case '\'' -> "'\\''";
          case '"' -> "'\"'";
          default -> {
            var text = GoText.quote(new String(new byte[] {(byte) c}, StandardCharsets.ISO_8859_1));
            yield "'" + text.substring(1, text.length() - 1) + "'";
          }
        };
    return new Problem("invalid character " + quoted + " " + where);
  }

  private void spaces() {
    while (at < text.length
        && (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t')) {
      at++;
    }
  }

  private void value() {
    spaces();
    switch (peek()) {
      case '{' -> object();
      case '[' -> array();
      case '"' -> string();
      case 't' -> literal("true");
      case 'f' -> literal("false");
      case 'n' -> literal("null");
      case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number();
      default -> throw invalid("looking for beginning of value");
    }
  }

  private void object() {
    at++;
    spaces();
    if (peek() == '}') {
      at++;
      return;
    }
    while (true) {
      spaces();
      if (peek() != '"') {
        throw invalid("looking for beginning of object key string");
      }
      string();
      spaces();
      if (peek() != ':') {
        throw invalid("after object key");
      }
      at++;
      value();
      spaces();
      if (peek() == '}') {
        at++;
        return;
      }
      if (peek() != ',') {
        throw invalid("after object key:value pair");
      }
      at++;
    }
  }

  private void array() {
    at++;
    spaces();
    if (peek() == ']') {
      at++;
      return;
    }
    while (true) {
      value();
      spaces();
      if (peek() == ']') {
        at++;
        return;
      }
      if (peek() != ',') {
        throw invalid("after array element");
      }
      at++;
    }
  }

  private void string() {
    at++;
    while (peek() != '"') {
      if (peek() < ' ') {
        throw invalid("in string literal");
      }
      if (peek() == '\\') {
        at++;
        if (peek() == 'u') {
          for (int i = 0; i < 4; i++) {
            at++;
            if (Character.digit(peek(), 16) < 0) {
              throw invalid("in \\u hexadecimal character escape");
            }
          }
        } else if ("\"\\/bfnrt".indexOf(peek()) < 0) {
          throw invalid("in string escape code");
        }
      }
      at++;
    }
    at++;
  }

  private void literal(String word) {
    for (int i = 1; i < word.length(); i++) {
      at++;
      if (peek() != word.charAt(i)) {
        throw invalid("in literal " + word + " (expecting '" + word.charAt(i) + "')");
      }
    }
    at++;
  }

  private void number() {
    if (peek() == '-') {
      at++;
      if (!isDigit(peek())) {
        throw invalid("in numeric literal");
      }
    }
    if (peek() == '0') {
      at++;
    } else {
      digits();
    }
    if (at < text.length && text[at] == '.') {
      at++;
      if (!isDigit(peek())) {
        throw invalid("after decimal point in numeric literal");
      }
      digits();
    }
    if (at < text.length && (text[at] == 'e' || text[at] == 'E')) {
      at++;
      if (peek() == '+' || peek() == '-') {
        at++;
      }
      if (!isDigit(peek())) {
        throw invalid("in exponent of numeric literal");
      }
      digits();
    }
  }

  private void digits() {
    while (at < text.length && isDigit(text[at])) {
      at++;
    }
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }
}
