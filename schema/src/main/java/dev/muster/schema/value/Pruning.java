package dev.muster.schema.value;

import dev.muster.model.Json;
import dev.muster.model.JsonArray;
import dev.muster.model.JsonObject;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Fields that a schema does not know. */
public final class Pruning {
  private static final Set<String> META = Set.of("apiVersion", "kind", "metadata");

  private Pruning() {}

  /**
   * Whether a value has fields that its schema does not know and would not keep.
   *
   * @param resource whether the value is a whole object
   */
  public static boolean hasUnknown(Json value, JsonObject schema, boolean resource) {
    return unknown(value, schema, resource);
  }

  private static boolean unknown(
      @Nullable Json value, @Nullable JsonObject schema, boolean resource) {
    boolean keeps = schema != null && schema.isTrue("x-kubernetes-preserve-unknown-fields");
    if (value instanceof JsonObject object) {
      for (int i = 0; i < object.size(); i++) {
        var name = object.key(i);
        if (resource && META.contains(name)) {
          continue;
        }
        var known = member(schema, name);
        boolean lost = known == null && !keeps && !hasMembers(schema);
        if (lost || (known != null && unknown(object.value(i), known, isResource(known)))) {
          return true;
        }
      }
    } else if (value instanceof JsonArray list) {
      var items = schema != null && schema.get("items") instanceof JsonObject of ? of : null;
      for (var item : list) {
        if (!(items == null && keeps) && unknown(item, items, items != null && isResource(items))) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean isResource(JsonObject schema) {
    return schema.isTrue("x-kubernetes-embedded-resource");
  }

  private static boolean hasMembers(@Nullable JsonObject schema) {
    return schema != null && schema.isTrue("additionalProperties");
  }

  private static @Nullable JsonObject member(@Nullable JsonObject schema, String name) {
    if (schema == null) {
      return null;
    }
    if (schema.object("properties").get(name) instanceof JsonObject property) {
      return property;
    }
    return schema.get("additionalProperties") instanceof JsonObject values ? values : null;
  }
}
