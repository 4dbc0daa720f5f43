package dev.muster.wire;

import dev.muster.model.gocompat.GoText;
import java.util.BitSet;

/**
 * Explains why a text is not JSON, with the messages of Go's decoder that clients know from
 * kube-apiserver. It runs only after a parser refused a text, or on small texts inside objects.
 * Unlike {@link JsonScanner}, it checks every byte and assumes nothing about the input.
 */
public final class JsonSyntax {
  private final byte[] text;
  private final int end;
  private int at;

  private JsonSyntax(byte[] text, int offset, int length) {
    this.text = text;
    this.at = offset;
    this.end = offset + length;
  }

  /** The error message, or "" when the text is valid JSON. */
  public static String complaint(byte[] text, int offset, int length, int maxDepth) {
    try {
      new JsonSyntax(text, offset, length).document(maxDepth);
      return "";
    } catch (DecodeException complaint) {
      return complaint.text();
    }
  }

  private void document(int maxDepth) {
    var objects = new BitSet();
    int depth = 0;
    boolean value = true;
    while (value || depth > 0) {
      if (value) {
        int c = next();
        if (c == '{' || c == '[') {
          if (++depth > maxDepth) {
            throw invalid(c, "exceeded max depth");
          }
          objects.set(depth, c == '{');
          value = begin(c == '{');
        } else {
          scalar(c);
          value = false;
        }
      } else {
        boolean object = objects.get(depth);
        int c = next();
        if (c == ',') {
          if (object) {
            key(next());
          }
          value = true;
        } else if (c == (object ? '}' : ']')) {
          depth--;
        } else {
          throw invalid(c, object ? "after object key:value pair" : "after array element");
        }
      }
    }
    skipSpace();
    if (at < end) {
      throw invalid(text[at] & 0xff, "after top-level value");
    }
  }

  /** Continues after an opening bracket; returns whether a value follows. */
  private boolean begin(boolean object) {
    skipSpace();
    if (at < end && text[at] == (object ? '}' : ']')) {
      return false;
    }
    if (object) {
      key(next());
    }
    return true;
  }

  private void key(int c) {
    if (c != '"') {
      throw invalid(c, "looking for beginning of object key string");
    }
    string();
    int colon = next();
    if (colon != ':') {
      throw invalid(colon, "after object key");
    }
  }

  private void scalar(int c) {
    switch (c) {
      case '"' -> string();
      case 't' -> literal("true");
      case 'f' -> literal("false");
      case 'n' -> literal("null");
      default -> {
        if (c != '-' && !digit(c)) {
          throw invalid(c, "looking for beginning of value");
        }
        number(c);
      }
    }
  }

  private void literal(String word) {
    for (int i = 1; i < word.length(); i++) {
      int c = read();
      if (c != word.charAt(i)) {
        throw invalid(c, "in literal " + word + " (expecting '" + word.charAt(i) + "')");
      }
    }
  }

  private void string() {
    while (true) {
      int c = read();
      if (c == '"') {
        return;
      }
      if (c < 0x20) {
        throw invalid(c, "in string literal");
      }
      if (c == '\\') {
        escape();
      }
    }
  }

  private void escape() {
    int c = read();
    if (c == 'u') {
      for (int i = 0; i < 4; i++) {
        int hex = read();
        if (Character.digit(hex, 16) < 0 || hex > 'f') {
          throw invalid(hex, "in \\u hexadecimal character escape");
        }
      }
    } else if ("bfnrt\\/\"".indexOf(c) < 0) {
      throw invalid(c, "in string escape code");
    }
  }

  private void number(int first) {
    int c = first == '-' ? read() : first;
    if (!digit(c)) {
      throw invalid(c, "in numeric literal");
    }
    if (c != '0') {
      digits();
    }
    if (at < end && text[at] == '.') {
      at++;
      c = read();
      if (!digit(c)) {
        throw invalid(c, "after decimal point in numeric literal");
      }
      digits();
    }
    if (at < end && (text[at] == 'e' || text[at] == 'E')) {
      at++;
      c = read();
      if (c == '+' || c == '-') {
        c = read();
      }
      if (!digit(c)) {
        throw invalid(c, "in exponent of numeric literal");
      }
      digits();
    }
  }

  private void digits() {
    while (at < end && digit(text[at])) {
      at++;
    }
  }

  private static boolean digit(int c) {
    return c >= '0' && c <= '9';
  }

  private void skipSpace() {
    while (at < end
        && (text[at] == ' ' || text[at] == '\n' || text[at] == '\t' || text[at] == '\r')) {
      at++;
    }
  }

  private int next() {
    skipSpace();
    return read();
  }

  private int read() {
    if (at >= end) {
      throw new DecodeException("unexpected end of JSON input");
    }
    return text[at++] & 0xff;
  }

  private static DecodeException invalid(int c, String where) {
    return new DecodeException("invalid character " + quote(c) + " " + where);
  }

  private static String quote(int c) {
    return switch (c) {
      case '\'' -> "'\\''";
      case '"' -> "'\"'";
      default -> {
        var quoted = GoText.quote(String.valueOf((char) c));
        yield "'" + quoted.substring(1, quoted.length() - 1) + "'";
      }
    };
  }
}
