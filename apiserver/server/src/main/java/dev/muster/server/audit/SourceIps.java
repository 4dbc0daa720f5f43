package dev.muster.server.audit;

import dev.muster.http.HttpExchange;
import dev.muster.model.address.Ip;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where a request comes from: whom proxies name, and whom we see. */
final class SourceIps {
  private SourceIps() {}

  /** Only the last one is certain: the others are what the client or a proxy says. */
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
