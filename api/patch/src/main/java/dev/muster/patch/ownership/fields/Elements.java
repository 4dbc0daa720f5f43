package dev.muster.patch.ownership.fields;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonInteger;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonNumber;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import dev.muster.patch.edit.GoValue;
import dev.muster.wire.DecodeException;
import dev.muster.wire.JsonReader;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The path elements of fieldsV1: {@code f:name} is a field, {@code k:{"name":"a"}} an item of a
 * keyed list, {@code v:"a"} an item of a set, {@code i:0} a list item by index.
 */
public final class Elements {
  private Elements() {}

  public static String field(String name) {
    return "f:".concat(name);
  }

  /** The element of a list item with the given keys, which are sorted by name. */
  public static String key(List<String> names, List<Json> values) {
    var out = new StringBuilder("k:{");
    for (int i = 0; i < names.size(); i++) {
      if (i > 0) {
        out.append(',');
      }
      quote(names.get(i), out);
      out.append(':');
      write(values.get(i), out);
    }
    return out.append('}').toString();
  }

  /** The element of a list item with one key. */
  public static String key(String name, Json value) {
    return value instanceof JsonString string && isPlain(string.value()) && isPlain(name)
        ? "k:{\"" + name + "\":\"" + string.value() + "\"}"
        : key(List.of(name), List.of(value));
  }

  /** Whether the text needs no escapes. */
  private static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x20 || c > 0x7e || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&') {
        return false;
      }
    }
    return true;
  }

  /** The element of an item of a set. */
  public static String value(Json value) {
    var out = new StringBuilder("v:");
    write(value, out);
    return out.toString();
  }

  /**
   * The element in canonical form, or null for an unknown kind of element.
   *
   * @throws MalformedFieldsException when it is no element
   */
  static @Nullable String canonical(String element) {
    if (element.length() < 2) {
      throw new MalformedFieldsException("key must be 2 characters long:");
    }
    if (element.charAt(1) != ':') {
      throw new MalformedFieldsException("missing colon: " + element);
    }
    return switch (element.charAt(0)) {
      case 'f' -> element;
      case 'v' -> value(content(element));
      case 'k' -> {
        if (!(content(element) instanceof JsonObject keys)) {
          throw new MalformedFieldsException("not a list of keys: " + element);
        }
        var order =
            IntStream.range(0, keys.size())
                .boxed()
                .sorted(Comparator.comparing(keys::key, ElementOrder::compareTexts))
                .toList();
        yield key(order.stream().map(keys::key).toList(), order.stream().map(keys::value).toList());
      }
      case 'i' -> {
        try {
          yield "i:" + Integer.parseInt(element, 2, element.length(), 10);
        } catch (NumberFormatException noIndex) {
          throw new MalformedFieldsException("not an index: " + element);
        }
      }
      default -> null;
    };
  }

  /** The JSON in an element. */
  static Json content(String element) {
    try {
      return JsonReader.read(element.substring(2).getBytes(StandardCharsets.UTF_8));
    } catch (DecodeException unreadable) {
      throw new MalformedFieldsException(unreadable.text());
    }
  }

  /** The element in a conflict message: {@code .name}, {@code [name="a"]}, {@code [="a"]}. */
  public static String text(String element) {
    return switch (element.charAt(0)) {
      case 'f' -> "." + element.substring(2);
      case 'k' -> {
        var keys = (JsonObject) content(element);
        var out = new StringBuilder("[");
        for (int i = 0; i < keys.size(); i++) {
          out.append(i == 0 ? "" : ",").append(keys.key(i)).append('=').append(text(keys.value(i)));
        }
        yield out.append(']').toString();
      }
      case 'v' -> "[=" + text(content(element)) + "]";
      default -> "[" + element.substring(2) + "]";
    };
  }

  private static String text(Json value) {
    return switch (value) {
      case JsonString string -> GoText.quote(string.value());
      case JsonInteger number -> number.toString();
      case JsonNumber number -> GoValue.decimal(number.doubleValue());
      case JsonBool bool -> bool.toString();
      case JsonNull ignored -> "null";
      case Json other -> GoValue.print(other);
    };
  }

  private static void write(Json value, StringBuilder out) {
    if (value instanceof JsonString string) {
      quote(string.value(), out);
    } else {
      out.append(value);
    }
  }

  /** Quotes like upstream's encoder, which also escapes HTML characters. */
  private static void quote(String text, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        case '<', '>', '&', '\u2028', '\u2029' -> escape(c, out);
        default -> {
          if (c < 0x20) {
            escape(c, out);
          } else {
            out.append(c);
          }
        }
      }
    }
    out.append('"');
  }

  private static void escape(char c, StringBuilder out) {
    out.append(String.format("\\u%04x", (int) c));
  }
}
