package dev.muster.model.gocompat;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonNumber;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Formats values like Go, because clients match on messages that contain them. */
public final class GoText {
  private GoText() {}

  /** The name of a value's type in the messages of Go's JSON decoder. */
  public static String kind(Json value) {
    return switch (value) {
      case JsonObject ignored -> "object";
      case JsonArray ignored -> "array";
      case JsonString ignored -> "string";
      case JsonNumber ignored -> "number";
      case JsonBool ignored -> "bool";
      case JsonNull ignored -> "null";
    };
  }

  /** The text in double quotes with Go's escapes, as {@code %q} prints it. */
  public static String quote(String text) {
    var out = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); ) {
      int c = text.codePointAt(i);
      i += Character.charCount(c);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case 7 -> out.append("\\a");
        case '\b' -> out.append("\\b");
        case '\f' -> out.append("\\f");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        case 11 -> out.append("\\v");
        default -> {
          if (isPrint(c)) {
            out.appendCodePoint(c);
          } else if (c < ' ' || c == 0x7f) {
            out.append(String.format("\\x%02x", c));
          } else if (c < 0x10000) {
            out.append(String.format("\\u%04x", c));
          } else {
            out.append(String.format("\\U%08x", c));
          }
        }
      }
    }
    return out.append('"').toString();
  }

  /** The text as Go's JSON encoder writes it, with HTML characters escaped. */
  public static String json(String text) {
    var out = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\b' -> out.append("\\b");
        case '\f' -> out.append("\\f");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> {
          if (c < ' ' || c == '<' || c == '>' || c == '&' || c == 0x2028 || c == 0x2029) {
            out.append(String.format("\\u%04x", (int) c));
          } else {
            out.append(c);
          }
        }
      }
    }
    return out.append('"').toString();
  }

  /** A list of texts as {@code %#v} prints it. */
  public static String quoteAll(List<String> texts) {
    return texts.stream().map(GoText::quote).collect(Collectors.joining(", ", "[]string{", "}"));
  }

  /** A code point as {@code %#U} prints it: {@code U+0007} or {@code U+0041 'A'}. */
  public static String codePoint(int c) {
    return String.format("U+%04X", c) + (isPrint(c) ? " '" + Character.toString(c) + "'" : "");
  }

  /** Go's {@code unicode.IsPrint}: letters, marks, numbers, punctuation, symbols and ' '. */
  public static boolean isPrint(int c) {
    if (c < 0x7f) {
      return c >= ' ';
    }
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SPACE_SEPARATOR ->
          false;
      default -> true;
    };
  }

  /** The length in bytes of UTF-8, as Go's {@code len} counts it. */
  public static int bytes(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) >= 0x80) {
        return text.getBytes(StandardCharsets.UTF_8).length;
      }
    }
    return text.length();
  }

  /** The text with each character converted to lower case on its own, as in Go. */
  public static String lowerCase(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) >= 0x80) {
        return text.codePoints()
            .map(Character::toLowerCase)
            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
            .toString();
      }
    }
    return text.toLowerCase(Locale.ROOT);
  }
}
