package dev.muster.wire;

/** Puts JSON on lines, indented by two spaces, as {@code ?pretty=true} asks for. */
public final class JsonIndent {
  private JsonIndent() {}

  /** The same JSON with line ends and spaces; the given one has none between its tokens. */
  public static byte[] of(byte[] compact) {
    var out = new Bytes(compact.length * 2);
    int depth = 0;
    for (int i = 0; i < compact.length; i++) {
      byte b = compact[i];
      switch (b) {
        case '"' -> {
          int end = textEnd(compact, i);
          out.add(compact, i, end - i);
          i = end - 1;
        }
        case '{', '[' -> {
          out.add(b);
          if (i + 1 < compact.length && (compact[i + 1] == '}' || compact[i + 1] == ']')) {
            out.add(compact[++i]);
          } else {
            line(out, ++depth);
          }
        }
        case '}', ']' -> {
          line(out, --depth);
          out.add(b);
        }
        case ',' -> {
          out.add(b);
          line(out, depth);
        }
        case ':' -> {
          out.add(b);
          out.add(' ');
        }
        default -> out.add(b);
      }
    }
    return out.toArray();
  }

  private static void line(Bytes out, int depth) {
    out.add('\n');
    for (int i = 0; i < depth; i++) {
      out.add(' ');
      out.add(' ');
    }
  }

  private static int textEnd(byte[] json, int start) {
    int at = start + 1;
    while (at < json.length && json[at] != '"') {
      at += json[at] == '\\' ? 2 : 1;
    }
    return Math.min(at + 1, json.length);
  }
}
