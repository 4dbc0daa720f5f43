package dev.muster.model.gocompat;

import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Go's error messages for invalid addresses, such as {@code IPv4 field has value >255}. */
public final class GoAddress {
  private GoAddress() {}

  /** The error in an address, or null when it is valid; a zone is allowed. */
  public static @Nullable String problem(String text) {
    var found = found(text);
    return found == null ? null : "ParseAddr(" + GoText.quote(text) + "): " + found;
  }

  /** The error in a range of addresses, or null when it is valid. */
  public static @Nullable String prefixProblem(String text) {
    var found = foundInPrefix(text);
    return found == null ? null : "netip.ParsePrefix(" + GoText.quote(text) + "): " + found;
  }

  private static @Nullable String foundInPrefix(String text) {
    int slash = text.lastIndexOf('/');
    if (slash < 0) {
      return "no '/'";
    }
    var address = text.substring(0, slash);
    var found = problem(address);
    if (found != null) {
      return found;
    }
    if (address.indexOf('%') >= 0) {
      return "IPv6 zones cannot be present in a prefix";
    }
    var bits = text.substring(slash + 1);
    if (!bits.matches("[0-9]|[1-9][0-9]{0,9}")) {
      return "bad bits after slash: " + GoText.quote(bits);
    }
    int most = address.indexOf(':') < 0 ? 32 : 128;
    return Long.parseLong(bits) > most ? "prefix length out of range" : null;
  }

  private static @Nullable String found(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '.') {
        return inFour(text);
      }
      if (c == ':') {
        return inSix(text);
      }
      if (c == '%') {
        return "missing IPv6 address";
      }
    }
    return "unable to parse IP";
  }

  private static @Nullable String inFour(String text) {
    int dots = 0;
    int value = 0;
    int digits = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= '0' && c <= '9') {
        if (digits == 1 && value == 0) {
          return "IPv4 field has octet with leading zero";
        }
        value = value * 10 + c - '0';
        digits++;
        if (value > 255) {
          return "IPv4 field has value >255";
        }
      } else if (c == '.') {
        if (i == 0 || i == text.length() - 1 || text.charAt(i - 1) == '.') {
          return at("IPv4 field must have at least one digit", text.substring(i));
        }
        if (dots == 3) {
          return "IPv4 address too long";
        }
        dots++;
        value = 0;
        digits = 0;
      } else {
        return at("unexpected character", text.substring(i));
      }
    }
    return dots < 3 ? "IPv4 address too short" : null;
  }

  private static @Nullable String inSix(String text) {
    int zone = text.indexOf('%');
    if (zone == text.length() - 1) {
      return "zone must be a non-empty string";
    }
    var rest = zone < 0 ? text : text.substring(0, zone);
    boolean shortened = rest.startsWith("::");
    if (shortened) {
      rest = rest.substring(2);
      if (rest.isEmpty()) {
        return null;
      }
    }
    int bytes = 0;
    while (bytes < 16) {
      int digits = hexDigits(rest);
      if (digits > 4) {
        return at("each group must have 4 or less digits", rest);
      }
      if (digits == 0) {
        return at("each colon-separated field must have at least one digit", rest);
      }
      if (digits < rest.length() && rest.charAt(digits) == '.') {
        if (!shortened && bytes != 12) {
          return at("embedded IPv4 address must replace the final 2 fields of the address", rest);
        }
        if (bytes > 12) {
          return at("too many hex fields to fit an embedded IPv4 at the end of the address", rest);
        }
        var embedded = inFour(rest);
        if (embedded != null) {
          return embedded;
        }
        rest = "";
        bytes += 4;
        break;
      }
      bytes += 2;
      rest = rest.substring(digits);
      if (rest.isEmpty()) {
        break;
      }
      if (rest.charAt(0) != ':') {
        return at("unexpected character, want colon", rest);
      }
      if (rest.length() == 1) {
        return at("colon must be followed by more characters", rest);
      }
      rest = rest.substring(1);
      if (rest.charAt(0) == ':') {
        if (shortened) {
          return at("multiple :: in address", rest);
        }
        shortened = true;
        rest = rest.substring(1);
        if (rest.isEmpty()) {
          break;
        }
      }
    }
    if (!rest.isEmpty()) {
      return at("trailing garbage after address", rest);
    }
    if (bytes < 16) {
      return shortened ? null : "address string too short";
    }
    return shortened ? "the :: must expand to at least one field of zeros" : null;
  }

  private static int hexDigits(String text) {
    int count = 0;
    while (count < text.length() && HexFormat.isHexDigit(text.charAt(count))) {
      count++;
    }
    return count;
  }

  private static String at(String problem, String rest) {
    return problem + " (at " + GoText.quote(rest) + ")";
  }
}
