package dev.muster.wire;

/**
 * Formats compact JSON with line breaks and two spaces of indentation, for {@code ?pretty=true}.
 * Deeply nested JSON grows a lot, so it takes the input in pieces and limits the output per call.
 * Only one thread at a time may use it.
 */
public final class JsonIndent {
  private int depth;
  private boolean inText;
  private boolean escaped;

  /** Whether the last byte opened an object or array that may turn out to be empty. */
  private boolean opened;

  /** Formats JSON that has no whitespace between its tokens. */
  public static byte[] of(byte[] compact) {
    var out = new Bytes(compact.length * 2);
    new JsonIndent().add(compact, 0, compact.length, out, Integer.MAX_VALUE);
    return out.toArray();
  }

  /**
   * Formats the next bytes of compact JSON; drops a line break at the end.
   *
   * @param enough stops when the output is that long
   * @return the number of bytes consumed
   */
  public int add(byte[] compact, int from, int to, Bytes out, int enough) {
    int at = from;
    while (at < to && out.size() < enough) {
      if (inText) {
        int end = textEnd(compact, at, to);
        out.add(compact, at, end - at);
        at = end;
      } else {
        token(compact[at++], out);
      }
    }
    return at - from;
  }

  private void token(byte b, Bytes out) {
    boolean closes = b == '}' || b == ']';
    if (opened) {
      opened = false;
      if (closes) {
        out.add(b);
        return;
      }
      line(out, ++depth);
    } else if (closes) {
      line(out, --depth);
    }
    switch (b) {
      case '"' -> {
        out.add(b);
        inText = true;
      }
      case '{', '[' -> {
        out.add(b);
        opened = true;
      }
      case ',' -> {
        out.add(b);
        line(out, depth);
      }
      case ':' -> {
        out.add(b);
        out.add(' ');
      }
      case '\n' -> {
        // Compact JSON has a line break only at its end.
      }
      default -> out.add(b);
    }
  }

  private static void line(Bytes out, int depth) {
    var buffer = out.room(1 + 2 * depth);
    int at = out.size();
    buffer[at++] = '\n';
    for (int i = 2 * depth; i > 0; i--) {
      buffer[at++] = ' ';
    }
    out.size(at);
  }

  /** The end of the text, or of the part of it that is in the input. */
  private int textEnd(byte[] json, int from, int to) {
    int at = JsonScanner.special(json, escaped ? from + 1 : from, to);
    while (at < to && json[at] == '\\') {
      if (at + 1 == to) {
        escaped = true;
        return to;
      }
      at = JsonScanner.special(json, at + 2, to);
    }
    escaped = false;
    inText = at == to;
    return inText ? to : at + 1;
  }
}
