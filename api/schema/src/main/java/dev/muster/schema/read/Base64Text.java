package dev.muster.schema.read;

import dev.muster.wire.DecodeException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Reads base64 like Go's standard encoding, which skips line breaks and ignores spare bits. */
final class Base64Text {
  private Base64Text() {}

  /**
   * The text as Go writes it again, or null when it does not change.
   *
   * @throws DecodeException with Go's message
   */
  static @Nullable String read(String text) {
    int inGroup = 0;
    int last = 0;
    boolean lineEnds = false;
    int length = text.length();
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      int bits = bits(c);
      if (bits >= 0) {
        last = bits;
        inGroup = (inGroup + 1) & 3;
      } else if (isLineEnd(c)) {
        lineEnds = true;
      } else if (c == '=' && inGroup >= 2) {
        boolean spare = (last & (inGroup == 2 ? 15 : 3)) != 0;
        boolean more = padding(text, i + 1, inGroup);
        return spare || lineEnds || more ? again(text) : null;
      } else {
        throw illegal(i);
      }
    }
    if (inGroup != 0) {
      throw illegal(length - inGroup);
    }
    return lineEnds ? again(text) : null;
  }

  /** Checks the text after the first equals sign; returns whether it contains line breaks. */
  private static boolean padding(String text, int from, int inGroup) {
    int at = skipLineEnds(text, from);
    if (inGroup == 2) {
      if (at == text.length()) {
        throw illegal(at);
      }
      if (text.charAt(at) != '=') {
        throw illegal(at - 1);
      }
      at = skipLineEnds(text, at + 1);
    }
    if (at < text.length()) {
      throw illegal(at);
    }
    return at - from > 1;
  }

  private static int skipLineEnds(String text, int from) {
    int at = from;
    while (at < text.length() && isLineEnd(text.charAt(at))) {
      at++;
    }
    return at;
  }

  private static boolean isLineEnd(char c) {
    return c == '\n' || c == '\r';
  }

  private static int bits(char c) {
    if (c >= 'A' && c <= 'Z') {
      return c - 'A';
    }
    if (c >= 'a' && c <= 'z') {
      return c - 'a' + 26;
    }
    if (c >= '0' && c <= '9') {
      return c - '0' + 52;
    }
    return c == '+' ? 62 : c == '/' ? 63 : -1;
  }

  private static String again(String text) {
    var joined = text.replace("\n", "").replace("\r", "");
    var bytes = Base64.getDecoder().decode(joined.getBytes(StandardCharsets.ISO_8859_1));
    return Base64.getEncoder().encodeToString(bytes);
  }

  private static DecodeException illegal(int at) {
    return new DecodeException("illegal base64 data at input byte " + at);
  }
}
