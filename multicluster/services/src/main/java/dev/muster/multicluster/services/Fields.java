package dev.muster.multicluster.services;

import dev.muster.model.address.Ip;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads fields of unvalidated objects: a value of the wrong type counts as absent. */
public final class Fields {
  private Fields() {}

  @SuppressWarnings("unchecked")
  public static Map<String, Object> map(@Nullable Object value) {
    return value instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
  }

  public static List<?> list(@Nullable Object value) {
    return value instanceof List<?> list ? list : List.of();
  }

  public static String text(Map<String, Object> object, String field) {
    return object.get(field) instanceof String text ? text : "";
  }

  public static Map<String, String> texts(@Nullable Object value) {
    var texts = new TreeMap<String, String>();
    map(value)
        .forEach(
            (key, entry) -> {
              if (entry instanceof String text) {
                texts.put(key, text);
              }
            });
    return texts;
  }

  public static Map<String, Object> metadata(Map<String, Object> object) {
    return map(object.get("metadata"));
  }

  public static Map<String, String> labels(Map<String, Object> object) {
    return texts(metadata(object).get("labels"));
  }

  public static String name(Map<String, Object> object) {
    return text(metadata(object), "name");
  }

  public static String namespace(Map<String, Object> object) {
    return text(metadata(object), "namespace");
  }

  public static Optional<InetAddress> address(@Nullable Object value) {
    if (value instanceof String text) {
      try {
        return Optional.of(Ip.parse(text).toInetAddress());
      } catch (IllegalArgumentException _) {
        return Optional.empty();
      }
    }
    return Optional.empty();
  }
}
