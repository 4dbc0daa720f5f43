package dev.muster.wire;

/** Texts as Go prints them, for messages that clients know from kube-apiserver. */
public final class GoText {
  private GoText() {}

  /** The text in double quotes as {@code %q} writes it. */
  public static String quote(String text) {
    var out = new StringBuilder(text.length() + 2).append('"');
    text.codePoints().forEach(c -> append(c, out));
    return out.append('"').toString();
  }

  private static void append(int c, StringBuilder out) {
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
        if (printable(c)) {
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

  private static boolean printable(int c) {
    if (c >= ' ' && c < 0x7f) {
      return true;
    }
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.PRIVATE_USE,
          Character.SURROGATE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SPACE_SEPARATOR ->
          false;
      default -> true;
    };
  }
}
