package dev.muster.registry.connect;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.status.ApiException;
import java.util.List;

/**
 * The target in a proxy path: {@code name}, {@code name:port} or {@code scheme:name:port}.
 *
 * @param text the text in the path
 * @param kind the kind of the target, for error messages
 */
record ProxyReference(String text, String kind, String scheme, String name, String port) {
  private static final List<String> SCHEMES = List.of("", "http", "https");
  private static final int LAST_PORT = 65535;

  static ProxyReference of(String text, String kind) {
    var parts = text.split(":", -1);
    var proxyReference =
        switch (parts.length) {
          case 1 -> new ProxyReference(text, kind, "", parts[0], "");
          case 2 -> new ProxyReference(text, kind, "", parts[0], parts[1]);
          case 3 -> new ProxyReference(text, kind, parts[0], parts[1], parts[2]);
          default -> new ProxyReference(text, kind, "", "", "");
        };
    if (proxyReference.name.isEmpty() || !SCHEMES.contains(proxyReference.scheme)) {
      throw proxyReference.invalid();
    }
    return proxyReference;
  }

  private ApiException invalid() {
    return ApiException.badRequest("invalid " + kind + " request " + GoText.quote(text));
  }

  boolean encrypted() {
    return scheme.equals("https");
  }

  /**
   * The port to connect to, 0 when none is given.
   *
   * @throws ApiException when the port is invalid
   */
  int numericPort() {
    if (port.isEmpty()) {
      return 0;
    }
    int number = port.matches("[0-9]{1,5}") ? Integer.parseInt(port) : 0;
    if (number < 1 || number > LAST_PORT) {
      throw invalid();
    }
    return number;
  }

  /** The port as a number of a Service port, or -1 when it is a name or missing. */
  long servicePort() {
    try {
      return Long.parseLong(port);
    } catch (NumberFormatException e) {
      return -1;
    }
  }
}
