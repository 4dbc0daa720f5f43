package dev.muster.validation.pods.containers;

import java.util.Locale;

/** Parses container image names as container runtimes do, in linear time. */
public final class ImageReference {
  private static final String HUB = "docker.io";
  private static final int LONGEST_PATH = 255;

  private ImageReference() {}

  /** Whether the image is {@code latest}: by that tag, or because it has neither tag nor digest. */
  public static boolean isLatest(String image) {
    if (image.length() == 64 && isLowerHex(image)) {
      return false;
    }
    int slash = image.indexOf('/');
    var first = slash < 0 ? "" : image.substring(0, slash);
    boolean hasDomain = isLikeDomain(first);
    var domain = hasDomain && !first.equals("index." + HUB) ? first : HUB;
    var rest = hasDomain ? image.substring(slash + 1) : image;
    int at = rest.indexOf('@');
    if (at >= 0 && !isDigest(rest.substring(at + 1))) {
      return false;
    }
    var named = at < 0 ? rest : rest.substring(0, at);
    int colon = named.lastIndexOf(':');
    boolean tagged = colon > named.lastIndexOf('/');
    var path = tagged ? named.substring(0, colon) : named;
    if (!isName(domain, domain.equals(HUB) && path.indexOf('/') < 0 ? "library/" + path : path)) {
      return false;
    }
    return tagged ? named.substring(colon + 1).equals("latest") : at < 0;
  }

  private static boolean isLikeDomain(String first) {
    return first.indexOf('.') >= 0
        || first.indexOf(':') >= 0
        || first.equals("localhost")
        || !first.toLowerCase(Locale.ROOT).equals(first);
  }

  /** A domain and a path; a prefix that is no domain may be the beginning of the path. */
  private static boolean isName(String domain, String path) {
    if (!isPath(path)) {
      return false;
    }
    int length = path.length();
    if (!isDomain(domain)) {
      if (!isPath(domain)) {
        return false;
      }
      length += domain.length() + 1;
    }
    return length <= LONGEST_PATH;
  }

  private static boolean isDomain(String domain) {
    int end = domain.lastIndexOf(':');
    boolean bracketed = domain.startsWith("[");
    if (end > domain.lastIndexOf(']')) {
      if (!isNumber(domain.substring(end + 1))) {
        return false;
      }
    } else {
      end = domain.length();
    }
    var host = domain.substring(0, end);
    return bracketed ? isBracketed(host) : isHost(host);
  }

  private static boolean isNumber(String port) {
    return !port.isEmpty() && port.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  private static boolean isBracketed(String host) {
    return host.length() > 2
        && host.endsWith("]")
        && host.chars().skip(1).limit(host.length() - 2L).allMatch(c -> c == ':' || isHex(c));
  }

  /** Labels of letters, digits and inner dashes, separated by dots. */
  private static boolean isHost(String host) {
    char before = '.';
    for (int i = 0; i <= host.length(); i++) {
      char c = i < host.length() ? host.charAt(i) : '.';
      boolean fits =
          switch (c) {
            case '.' -> before != '.' && before != '-';
            case '-' -> before != '.';
            default -> isAlphanumeric(c);
          };
      if (!fits) {
        return false;
      }
      before = c;
    }
    return true;
  }

  /**
   * Lower case letters and digits, separated by a dot, one or more dashes, or one or two
   * underscores.
   */
  private static boolean isPath(String path) {
    int separated = 0;
    char before = '/';
    for (int i = 0; i <= path.length(); i++) {
      char c = i < path.length() ? path.charAt(i) : '/';
      boolean inside = isAlphanumeric(before);
      boolean fits =
          switch (c) {
            case '/', '.' -> inside;
            case '-' -> inside || before == '-';
            case '_' -> inside || (before == '_' && separated == 1);
            default -> isAlphanumeric(c) && !(c >= 'A' && c <= 'Z');
          };
      if (!fits) {
        return false;
      }
      separated = c == before ? separated + 1 : 1;
      before = c;
    }
    return true;
  }

  private static boolean isDigest(String digest) {
    int colon = digest.indexOf(':');
    int length =
        switch (colon < 0 ? "" : digest.substring(0, colon)) {
          case "sha256" -> 64;
          case "sha384" -> 96;
          case "sha512" -> 128;
          default -> -1;
        };
    var encoded = digest.substring(colon + 1);
    return encoded.length() == length && isLowerHex(encoded);
  }

  private static boolean isLowerHex(String text) {
    return text.chars().allMatch(c -> isHex(c) && !(c >= 'A' && c <= 'F'));
  }

  private static boolean isHex(int c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  }

  private static boolean isAlphanumeric(int c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }
}
