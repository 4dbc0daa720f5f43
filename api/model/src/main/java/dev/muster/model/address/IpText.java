package dev.muster.model.address;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Parses and formats IP addresses. */
final class IpText {
  private IpText() {}

  /** Parses an address and records how it was written; null when it is invalid. */
  static @Nullable Ip parse(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) == '.') {
        var four = new byte[4];
        return parseFour(text, 0, four, 0) ? new Ip(four, !hasLeadingZero(text, 0), false) : null;
      }
      if (text.charAt(i) == ':') {
        return parseSix(text);
      }
    }
    return null;
  }

  private static boolean parseFour(String text, int from, byte[] into, int offset) {
    int at = from;
    for (int i = 0; i < 4; i++) {
      if (i > 0) {
        if (at >= text.length() || text.charAt(at) != '.') {
          return false;
        }
        at++;
      }
      int start = at;
      int value = 0;
      while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
        value = value * 10 + (text.charAt(at) - '0');
        if (value > 255) {
          return false;
        }
        at++;
      }
      if (at == start) {
        return false;
      }
      into[offset + i] = (byte) value;
    }
    return at == text.length();
  }

  private static boolean hasLeadingZero(String text, int from) {
    for (int i = from; i + 1 < text.length(); i++) {
      boolean first = i == from || text.charAt(i - 1) == '.';
      if (first && text.charAt(i) == '0' && text.charAt(i + 1) != '.') {
        return true;
      }
    }
    return false;
  }

  private static @Nullable Ip parseSix(String text) {
    var six = new byte[16];
    int ellipsis = -1;
    int at = 0;
    int filled = 0;
    boolean standard = true;
    if (text.startsWith("::")) {
      ellipsis = 0;
      at = 2;
    }
    while (filled < 16 && at < text.length()) {
      int start = at;
      int value = 0;
      while (at < text.length()
          && Character.digit(text.charAt(at), 16) >= 0
          && text.charAt(at) < 0x80) {
        value = value * 16 + Character.digit(text.charAt(at), 16);
        if (value > 0xffff) {
          return null;
        }
        at++;
      }
      if (at == start) {
        return null;
      }
      if (at < text.length() && text.charAt(at) == '.') {
        if ((ellipsis < 0 && filled != 12)
            || filled + 4 > 16
            || !parseFour(text, start, six, filled)) {
          return null;
        }
        standard = !hasLeadingZero(text, start);
        filled += 4;
        at = text.length();
        break;
      }
      if (at - start > 4) {
        standard = false;
      }
      six[filled] = (byte) (value >> 8);
      six[filled + 1] = (byte) value;
      filled += 2;
      if (at == text.length()) {
        break;
      }
      if (text.charAt(at) != ':' || at + 1 == text.length()) {
        return null;
      }
      at++;
      if (text.charAt(at) == ':') {
        if (ellipsis >= 0) {
          return null;
        }
        ellipsis = filled;
        at++;
      }
    }
    if (at != text.length()) {
      return null;
    }
    if (filled < 16) {
      if (ellipsis < 0) {
        return null;
      }
      int tail = filled - ellipsis;
      System.arraycopy(six, ellipsis, six, 16 - tail, tail);
      Arrays.fill(six, ellipsis, 16 - tail, (byte) 0);
    } else if (ellipsis >= 0) {
      return null;
    }
    boolean mapped = isMapped(six);
    return new Ip(mapped ? Arrays.copyOfRange(six, 12, 16) : six, standard, mapped);
  }

  private static boolean isMapped(byte[] six) {
    for (int i = 0; i < 10; i++) {
      if (six[i] != 0) {
        return false;
      }
    }
    return six[10] == -1 && six[11] == -1;
  }

  /** Dotted decimal, or the form of RFC 5952. */
  static String of(byte[] bytes) {
    if (bytes.length == 4) {
      return (bytes[0] & 255)
          + "."
          + (bytes[1] & 255)
          + "."
          + (bytes[2] & 255)
          + "."
          + (bytes[3] & 255);
    }
    int bestStart = -1;
    int bestLength = 1;
    for (int i = 0; i < 8; i++) {
      int length = 0;
      while (i + length < 8 && part(bytes, i + length) == 0) {
        length++;
      }
      if (length > bestLength) {
        bestStart = i;
        bestLength = length;
      }
      i += length;
    }
    var out = new StringBuilder();
    for (int i = 0; i < 8; i++) {
      if (i == bestStart) {
        out.append("::");
        i += bestLength - 1;
      } else {
        if (!out.isEmpty() && out.charAt(out.length() - 1) != ':') {
          out.append(':');
        }
        out.append(Integer.toHexString(part(bytes, i)));
      }
    }
    return out.toString();
  }

  private static int part(byte[] bytes, int index) {
    return (bytes[2 * index] & 255) << 8 | (bytes[2 * index + 1] & 255);
  }
}
