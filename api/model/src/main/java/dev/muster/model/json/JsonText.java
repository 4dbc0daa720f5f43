package dev.muster.model.json;

/**
 * Formats JSON as text, for messages and logs; request processing encodes to bytes in {@code wire}.
 */
final class JsonText {
  private JsonText() {}

  static String quote(String value) {
    var out = new StringBuilder(value.length() + 2);
    quote(value, out);
    return out.toString();
  }

  static void quote(String value, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> {
          if (c < 0x20) {
            out.append(String.format("\\u%04x", (int) c));
          } else {
            out.append(c);
          }
        }
      }
    }
    out.append('"');
  }

  static void write(Json value, StringBuilder out) {
    switch (value) {
      case JsonObject object -> {
        out.append('{');
        for (int i = 0; i < object.size(); i++) {
          if (i > 0) {
            out.append(',');
          }
          quote(object.key(i), out);
          out.append(':');
          write(object.value(i), out);
        }
        out.append('}');
      }
      case JsonArray array -> {
        out.append('[');
        for (int i = 0; i < array.size(); i++) {
          if (i > 0) {
            out.append(',');
          }
          write(array.get(i), out);
        }
        out.append(']');
      }
      case JsonString string -> quote(string.value(), out);
      case JsonNumber number -> out.append(number);
      case JsonBool bool -> out.append(bool);
      case JsonNull ignored -> out.append("null");
    }
  }
}
