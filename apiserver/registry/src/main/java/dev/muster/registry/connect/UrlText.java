package dev.muster.registry.connect;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Encodes text for the request line of an HTTP request. Allowed characters stay as they were sent,
 * percent-encoded or not; all others, such as a line break, a space or an incomplete escape, are
 * percent-encoded. Each character of a text is one byte that was sent.
 */
final class UrlText {
  /** The characters that RFC 3986 allows in a path beside letters and digits. */
  private static final String IN_PATHS = "-._~!$&'()*+,;=:@/";

  /**
   * The characters allowed in a query, including some that RFC 3986 forbids but clients send and
   * servers accept.
   */
  private static final String IN_QUERIES = IN_PATHS + "?[]{}|\\^`";

  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private UrlText() {}

  static String path(String sent) {
    return safe(sent, IN_PATHS);
  }

  static String query(String sent) {
    return safe(sent, IN_QUERIES);
  }

  /** Encodes one path segment from unencoded text. */
  static String part(String plain) {
    var bytes = plain.getBytes(StandardCharsets.UTF_8);
    var text = new StringBuilder(bytes.length);
    for (byte b : bytes) {
      char c = (char) (b & 0xff);
      if (c != '/' && isIn(IN_PATHS, c)) {
        text.append(c);
      } else {
        escape(text, b);
      }
    }
    return text.toString();
  }

  private static String safe(String sent, String allowed) {
    int first = firstUnsafe(sent, allowed);
    if (first < 0) {
      return sent;
    }
    var text = new StringBuilder(sent.length() + 16).append(sent, 0, first);
    for (int i = first; i < sent.length(); i++) {
      char c = sent.charAt(i);
      if (isIn(allowed, c) || isEscape(sent, i)) {
        text.append(c);
      } else if (c <= 0xff) {
        escape(text, (byte) c);
      } else {
        for (byte b : Character.toString(c).getBytes(StandardCharsets.UTF_8)) {
          escape(text, b);
        }
      }
    }
    return text.toString();
  }

  private static int firstUnsafe(String sent, String allowed) {
    for (int i = 0; i < sent.length(); i++) {
      if (!isIn(allowed, sent.charAt(i)) && !isEscape(sent, i)) {
        return i;
      }
    }
    return -1;
  }

  private static boolean isIn(String allowed, char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || allowed.indexOf(c) >= 0;
  }

  private static boolean isEscape(String text, int at) {
    return text.charAt(at) == '%'
        && at + 2 < text.length()
        && HexFormat.isHexDigit(text.charAt(at + 1))
        && HexFormat.isHexDigit(text.charAt(at + 2));
  }

  private static void escape(StringBuilder text, byte b) {
    text.append('%').append(HEX.toHighHexDigit(b)).append(HEX.toLowHexDigit(b));
  }
}
