package dev.muster.model.gocompat;

import dev.muster.model.MalformedValueException;
import java.util.Locale;

/**
 * A URL, parsed like Go and with Go's error messages.
 *
 * @param user the part before the {@code @}, or ""
 * @param hasUser whether there is an {@code @}
 * @param host with the port
 * @param path as written, with its escapes
 * @param query without the question mark
 */
public record GoUrl(
    String scheme,
    boolean hasUser,
    String user,
    String host,
    String path,
    String query,
    String fragment) {

  /**
   * Parses a URL.
   *
   * @throws MalformedValueException with Go's message, such as {@code parse ":x": missing protocol
   *     scheme}
   */
  public static GoUrl parse(String text) {
    int hash = text.indexOf('#');
    var address = hash < 0 ? text : text.substring(0, hash);
    var fragment = hash < 0 ? "" : text.substring(hash + 1);
    try {
      var url = parseAddress(address, fragment);
      escapes(fragment);
      return url;
    } catch (MalformedValueException e) {
      throw new MalformedValueException("parse " + GoText.quote(address) + ": " + e.getMessage());
    }
  }

  private static GoUrl parseAddress(String address, String fragment) {
    if (address.chars().anyMatch(c -> c < ' ' || c == 0x7f)) {
      throw new MalformedValueException("net/url: invalid control character in URL");
    }
    int colon = schemeEnd(address);
    var scheme = colon < 0 ? "" : address.substring(0, colon).toLowerCase(Locale.ROOT);
    var rest = address.substring(colon + 1);
    int question = rest.indexOf('?');
    var query = question < 0 ? "" : rest.substring(question + 1);
    rest = question < 0 ? rest : rest.substring(0, question);
    if (!rest.startsWith("/")) {
      if (!scheme.isEmpty()) {
        return new GoUrl(scheme, false, "", "", "", query, fragment);
      }
      int slash = rest.indexOf('/');
      if ((slash < 0 ? rest : rest.substring(0, slash)).indexOf(':') >= 0) {
        throw new MalformedValueException("first path segment in URL cannot contain colon");
      }
    }
    boolean hasHost = rest.startsWith("//") && (!scheme.isEmpty() || !rest.startsWith("///"));
    if (!hasHost) {
      escapes(rest);
      return new GoUrl(scheme, false, "", "", rest, query, fragment);
    }
    int path = rest.indexOf('/', 2);
    var authority = path < 0 ? rest.substring(2) : rest.substring(2, path);
    int at = authority.lastIndexOf('@');
    var host = authority.substring(at + 1);
    host(scheme, host);
    var user = at < 0 ? "" : authority.substring(0, at);
    if (!user.matches("[A-Za-z0-9\\-._:~!$&'()*+,;=%@]*")) {
      throw new MalformedValueException("net/url: invalid userinfo");
    }
    escapes(user);
    var names = path < 0 ? "" : rest.substring(path);
    escapes(names);
    return new GoUrl(scheme, at >= 0, user, host, names, query, fragment);
  }

  /** The position of the colon after the scheme, or -1. */
  private static int schemeEnd(String address) {
    for (int i = 0; i < address.length(); i++) {
      char c = address.charAt(i);
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      boolean inner = (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
      if (c == ':') {
        if (i == 0) {
          throw new MalformedValueException("missing protocol scheme");
        }
        return i;
      }
      if (!letter && !(inner && i > 0)) {
        return -1;
      }
    }
    return -1;
  }

  private static void host(String scheme, String host) {
    String port;
    if (host.startsWith("[")) {
      int end = host.lastIndexOf(']');
      if (end < 0) {
        throw new MalformedValueException("missing ']' in host");
      }
      port = host.substring(end + 1);
    } else {
      // URLs of databases list several hosts with ports, so Go allows more colons for other
      // schemes.
      boolean strict = scheme.equals("http") || scheme.equals("https");
      int colon = strict ? host.indexOf(':') : host.lastIndexOf(':');
      port = colon < 0 ? "" : host.substring(colon);
    }
    if (!port.isEmpty() && !port.matches(":[0-9]*")) {
      throw new MalformedValueException("invalid port " + GoText.quote(port) + " after host");
    }
    for (int i = 0; i < host.length(); i++) {
      char c = host.charAt(i);
      if (c < 0x80 && " \"\\^`{|}<>".indexOf(c) >= 0 && "\"<>".indexOf(c) < 0) {
        throw new MalformedValueException(
            "invalid character " + GoText.quote(String.valueOf(c)) + " in host name");
      }
    }
    escapes(host);
  }

  private static void escapes(String text) {
    for (int i = text.indexOf('%'); i >= 0; i = text.indexOf('%', i + 1)) {
      var escape = text.substring(i, Math.min(i + 3, text.length()));
      if (!escape.matches("%[0-9A-Fa-f]{2}")) {
        throw new MalformedValueException("invalid URL escape " + GoText.quote(escape));
      }
    }
  }
}
