package dev.muster.registry.connect;

import dev.muster.model.ApiException;
import dev.muster.model.GoText;
import java.util.List;

/** What a proxy request names: {@code name}, {@code name:port} or {@code scheme:name:port}. */
record Reference(String scheme, String name, String port) {
  private static final List<String> SCHEMES = List.of("", "http", "https");

  /**
   * @param kind of what is named, for the complaint
   */
  static Reference of(String text, String kind) {
    var parts = text.split(":", -1);
    var reference =
        switch (parts.length) {
          case 1 -> new Reference("", parts[0], "");
          case 2 -> new Reference("", parts[0], parts[1]);
          case 3 -> new Reference(parts[0], parts[1], parts[2]);
          default -> new Reference("", "", "");
        };
    if (reference.name.isEmpty() || !SCHEMES.contains(reference.scheme)) {
      throw ApiException.badRequest("invalid " + kind + " request " + GoText.quote(text));
    }
    return reference;
  }

  /** The port as a number, or -1 when it is a name or missing. */
  long portNumber() {
    try {
      return Long.parseLong(port);
    } catch (NumberFormatException e) {
      return -1;
    }
  }
}
