package dev.muster.multicluster.services;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The desired state of an object. Writing it changes only what differs, and sends nothing if the
 * live object already matches, so that watches see no empty changes.
 */
record DesiredObject(ServicesResource resource, String namespace, Map<String, Object> object) {

  static DesiredObject of(
      ServicesResource resource,
      String namespace,
      Map<String, Object> metadata,
      Map<String, Object> content) {
    var object = new LinkedHashMap<String, Object>();
    object.put("apiVersion", resource.apiVersion());
    object.put("kind", resource.kind());
    var named = new LinkedHashMap<>(metadata);
    if (!namespace.isEmpty()) {
      named.put("namespace", namespace);
    }
    object.put("metadata", named);
    object.putAll(content);
    return new DesiredObject(resource, namespace, object);
  }

  String name() {
    return Fields.name(object);
  }

  /** Writes the object; returns false if its namespace is missing or another write won. */
  boolean put(ApiObjects objects) {
    return putOver(objects, live -> true);
  }

  /** The same, but leaves a live object unchanged that is not {@code ours}. */
  boolean putOver(ApiObjects objects, Predicate<Map<String, Object>> ours) {
    var live = objects.get(resource, namespace, name());
    if (live.isEmpty()) {
      return objects.create(resource, namespace, object);
    }
    if (!ours.test(live.get())) {
      return false;
    }
    var next = merged(live.get());
    if (!same(live.get(), next)) {
      objects.update(resource, namespace, next);
    }
    return true;
  }

  private Map<String, Object> merged(Map<String, Object> live) {
    var next = new LinkedHashMap<>(live);
    var metadata = new LinkedHashMap<>(Fields.metadata(live));
    Fields.metadata(object)
        .forEach(
            (field, wanted) -> {
              if (field.equals("labels") || field.equals("annotations")) {
                var union = new LinkedHashMap<>(Fields.map(metadata.get(field)));
                union.putAll(Fields.map(wanted));
                metadata.put(field, union);
              } else {
                metadata.put(field, wanted);
              }
            });
    object.forEach(next::put);
    next.put("metadata", metadata);
    return next;
  }

  /** Whether an API server treats both values as equal; it leaves out empty ones. */
  static boolean same(@Nullable Object one, @Nullable Object other) {
    return Objects.equals(bare(one), bare(other));
  }

  private static @Nullable Object bare(@Nullable Object value) {
    return switch (value) {
      case Map<?, ?> map -> {
        var kept = new LinkedHashMap<Object, Object>();
        map.forEach(
            (key, entry) -> {
              var rest = bare(entry);
              if (rest != null) {
                kept.put(key, rest);
              }
            });
        yield kept.isEmpty() ? null : kept;
      }
      case List<?> list -> {
        var kept = new ArrayList<@Nullable Object>();
        list.forEach(entry -> kept.add(bare(entry)));
        yield kept.isEmpty() ? null : kept;
      }
      case null -> null;
      default -> value;
    };
  }
}
