package dev.muster.server.audit;

import dev.muster.http.HttpExchange;
import dev.muster.model.address.Ip;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The source addresses of a request: those that proxies state, and that of the connection. */
final class SourceIps {
  private SourceIps() {}

  /** Only the last address is certain: the client or a proxy states the others. */
  static List<String> of(HttpExchange exchange) {
    var remote = exchange.remoteAddress().getAddress();
    var forwarded = exchange.header("x-forwarded-for");
    var real = exchange.header("x-real-ip");
    if (forwarded == null && real == null) {
      return remote == null ? List.of() : List.of(Ip.of(remote).toString());
    }
    var found = new ArrayList<String>();
    if (forwarded != null) {
      for (var part : forwarded.split(",", -1)) {
        add(found, part.strip());
      }
    }
    if (real != null) {
      var text = text(real);
      if (text != null && !found.contains(text)) {
        found.add(text);
      }
    }
    if (remote != null) {
      var text = Ip.of(remote).toString();
      if (found.isEmpty() || !found.getLast().equals(text)) {
        found.add(text);
      }
    }
    return found;
  }

  private static void add(List<String> found, String part) {
    var text = text(part);
    if (text != null) {
      found.add(text);
    }
  }

  private static @Nullable String text(String part) {
    try {
      return Ip.parse(part).toString();
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
