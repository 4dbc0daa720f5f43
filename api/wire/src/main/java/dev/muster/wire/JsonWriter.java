package dev.muster.wire;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonDecimal;
import dev.muster.model.json.JsonInteger;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import java.nio.charset.StandardCharsets;

/**
 * Writes JSON in UTF-8, byte for byte like Go's encoder: no whitespace, and {@code <}, {@code >},
 * {@code &}, U+2028 and U+2029 escaped. Only one thread uses it.
 */
public final class JsonWriter {
  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

  /** For each ASCII character: 0 as it is, 1 as a six-character escape, else the escaped letter. */
  private static final byte[] ESCAPES = escapes();

  private static final byte[] PLAIN_ESCAPES = plainEscapes();

  private static final char NOTHING = 0;

  private final Bytes out;
  private final byte[] escapes;

  public JsonWriter(Bytes out) {
    this(out, ESCAPES);
  }

  private JsonWriter(Bytes out, byte[] escapes) {
    this.out = out;
    this.escapes = escapes;
  }

  /** A writer that does not escape {@code <}, {@code >} and {@code &}. */
  public static JsonWriter plain(Bytes out) {
    return new JsonWriter(out, PLAIN_ESCAPES);
  }

  private static byte[] plainEscapes() {
    var escapes = ESCAPES.clone();
    escapes['<'] = 0;
    escapes['>'] = 0;
    escapes['&'] = 0;
    return escapes;
  }

  private static byte[] escapes() {
    var escapes = new byte[128];
    for (int c = 0; c < 0x20; c++) {
      escapes[c] = 1;
    }
    escapes['<'] = 1;
    escapes['>'] = 1;
    escapes['&'] = 1;
    escapes['"'] = '"';
    escapes['\\'] = '\\';
    escapes['\b'] = 'b';
    escapes['\f'] = 'f';
    escapes['\n'] = 'n';
    escapes['\r'] = 'r';
    escapes['\t'] = 't';
    return escapes;
  }

  /** Encodes a value. */
  public static byte[] bytes(Json value) {
    var out = BufferPool.take();
    new JsonWriter(out).write(value);
    return BufferPool.whole(out);
  }

  /** Encodes a value, followed by the line break that Go's encoder writes after a document. */
  public static byte[] line(Json value) {
    var out = BufferPool.take();
    new JsonWriter(out).write(value);
    out.add('\n');
    return BufferPool.whole(out);
  }

  public void write(Json value) {
    switch (value) {
      case JsonObject object -> {
        out.add('{');
        for (int i = 0; i < object.size(); i++) {
          if (i > 0) {
            out.add(',');
          }
          write(object.key(i), ':');
          write(object.value(i));
        }
        out.add('}');
      }
      case JsonArray array -> {
        out.add('[');
        for (int i = 0; i < array.size(); i++) {
          if (i > 0) {
            out.add(',');
          }
          write(array.get(i));
        }
        out.add(']');
      }
      case JsonString string -> write(string.value());
      case JsonInteger integer -> out.addDecimal(integer.value());
      case JsonDecimal decimal -> out.addAscii(decimal.digits());
      case JsonBool bool -> out.addAscii(bool.value() ? "true" : "false");
      case JsonNull ignored -> out.addAscii("null");
    }
  }

  /** Writes a text in quotes. */
  public void write(String text) {
    write(text, NOTHING);
  }

  /** Writes a text in quotes, followed by a character. */
  private void write(String text, char next) {
    int length = text.length();
    var buffer = out.room(length * 2 + 3);
    int at = out.size();
    buffer[at++] = '"';
    int i = 0;
    for (; i < length; i++) {
      char c = text.charAt(i);
      if (c >= 128) {
        break;
      }
      byte escape = escapes[c];
      if (escape == 0) {
        buffer[at++] = (byte) c;
      } else if (escape == 1) {
        break;
      } else {
        buffer[at++] = '\\';
        buffer[at++] = escape;
      }
    }
    out.size(at);
    rest(text, i);
    out.add('"');
    if (next != NOTHING) {
      out.add(next);
    }
  }

  private void rest(String text, int from) {
    for (int i = from; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 128) {
        byte escape = escapes[c];
        if (escape == 0) {
          out.add(c);
        } else if (escape == 1) {
          escape(c);
        } else {
          out.add('\\');
          out.add(escape);
        }
      } else if (c == '\u2028' || c == '\u2029') {
        escape(c);
      } else if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        out.addUtf8(Character.toCodePoint(c, text.charAt(++i)));
      } else {
        out.addUtf8(Character.isSurrogate(c) ? 0xfffd : c);
      }
    }
  }

  private void escape(char c) {
    out.add('\\');
    out.add('u');
    for (int shift = 12; shift >= 0; shift -= 4) {
      out.add(HEX[(c >> shift) & 15]);
    }
  }
}
