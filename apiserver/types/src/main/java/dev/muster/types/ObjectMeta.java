package dev.muster.types;

import dev.muster.model.GroupKind;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Reads and changes {@code metadata}. */
public final class ObjectMeta {
  private static final String METADATA = "metadata";

  private ObjectMeta() {}

  public static String name(JsonObject object) {
    return text(object, "name");
  }

  /** The kind that error messages about an object name; a custom object may declare another one. */
  public static GroupKind kindIn(ServedType type, JsonObject object) {
    return type.isCustom()
        ? new GroupKind(type.kind().group(), object.string("kind"))
        : type.stored().groupKind();
  }

  public static String namespace(JsonObject object) {
    return text(object, "namespace");
  }

  public static String uid(JsonObject object) {
    return text(object, "uid");
  }

  public static String resourceVersion(JsonObject object) {
    return text(object, "resourceVersion");
  }

  public static long generation(JsonObject object) {
    return object.object(METADATA).integer("generation", 0);
  }

  public static boolean isDeleting(JsonObject object) {
    return object.object(METADATA).get("deletionTimestamp") instanceof JsonString;
  }

  public static List<String> finalizers(JsonObject object) {
    return object.object(METADATA).array("finalizers").strings();
  }

  public static String text(JsonObject object, String field) {
    return object.object(METADATA).string(field);
  }

  public static JsonObject with(JsonObject object, String field, @Nullable Json value) {
    return change(
        object, metadata -> value == null ? metadata.without(field) : metadata.with(field, value));
  }

  public static JsonObject with(JsonObject object, String field, String value) {
    return with(object, field, value.isEmpty() ? null : Json.of(value));
  }

  /** The object with those finalizers; without the field when there are none. */
  public static JsonObject withFinalizers(JsonObject object, List<String> finalizers) {
    return with(
        object, "finalizers", finalizers.isEmpty() ? null : JsonArray.ofStrings(finalizers));
  }

  /** The object with that field taken from the old object, also when it is absent there. */
  public static JsonObject keep(JsonObject object, JsonObject old, String field) {
    return with(object, field, old.object(METADATA).get(field));
  }

  public static JsonObject change(JsonObject object, UnaryOperator<JsonObject> change) {
    return object.with(METADATA, change.apply(object.object(METADATA)));
  }
}
