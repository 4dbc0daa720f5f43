package dev.muster.http.connection;

import dev.muster.wire.Bytes;
import java.nio.charset.StandardCharsets;

/**
 * Encodes header names and values. It rejects control characters, which could break out of a header
 * line.
 */
public final class HeaderText {
  private HeaderText() {}

  /** A name or a value in UTF-8. */
  public static byte[] bytes(String text) {
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    for (byte b : bytes) {
      if (b < ' ' ? b >= 0 && b != '\t' : b == 0x7f) {
        throw new IllegalArgumentException("control character in a response header");
      }
    }
    return bytes;
  }

  public static void write(Bytes out, String text) {
    out.add(bytes(text));
  }
}
