package dev.muster.clusterset.dns;

import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads objects that may be of any form: what is not as it should be counts as absent. */
final class Fields {
  private Fields() {}

  @SuppressWarnings("unchecked")
  static Map<String, Object> map(@Nullable Object value) {
    return value instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
  }

  static List<?> list(@Nullable Object value) {
    return value instanceof List<?> list ? list : List.of();
  }

  static String text(Map<String, Object> object, String field) {
    return object.get(field) instanceof String text ? text : "";
  }

  static Optional<InetAddress> address(@Nullable Object value) {
    if (value instanceof String text) {
      try {
        return Optional.of(InetAddress.ofLiteral(text));
      } catch (IllegalArgumentException _) {
        return Optional.empty();
      }
    }
    return Optional.empty();
  }
}
