package dev.muster.patch.ownership;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.patch.ownership.fields.ElementOrder;
import dev.muster.patch.ownership.fields.FieldSet;
import dev.muster.patch.ownership.typed.TypedComparison;
import dev.muster.patch.ownership.typed.TypedFields;
import dev.muster.patch.ownership.typed.TypedValidation;
import dev.muster.schema.StructShape;
import dev.muster.wire.DecodeException;
import dev.muster.wire.JsonReader;
import dev.muster.wire.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.TreeMap;

/**
 * Handles the annotation in which kubectl's client-side apply stores the last configuration. When
 * kubectl switches to server-side apply, it owns the fields of that configuration that have not
 * changed since, and the annotation is kept up to date.
 */
final class LastApplied {
  /** The only manager that this applies to. */
  static final String MANAGER = "kubectl";

  private static final String ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration";
  private static final int MOST_ANNOTATION_BYTES = 256 * 1024;

  private LastApplied() {}

  /** The fields that kubectl set by client-side apply and that have not changed since. */
  static FieldSet fields(StructShape shape, String apiVersion, JsonObject live) {
    var text = live.object("metadata").object("annotations").string(ANNOTATION);
    if (text.isEmpty()) {
      return FieldSet.EMPTY;
    }
    Json read;
    try {
      read = JsonReader.read(text.getBytes(StandardCharsets.UTF_8));
    } catch (DecodeException unreadable) {
      return FieldSet.EMPTY;
    }
    if (!(read instanceof JsonObject applied)
        || !applied.string("apiVersion").equals(apiVersion)
        || !TypedValidation.complaint(shape, applied).isEmpty()) {
      return FieldSet.EMPTY;
    }
    var comparison = TypedComparison.of(shape, applied, live);
    return TypedFields.of(shape, applied).minus(comparison.changed()).minus(comparison.removed());
  }

  /** The object with its annotation, if it has one, updated to the new configuration. */
  static JsonObject refresh(JsonObject object, JsonObject applied) {
    var metadata = object.object("metadata");
    var annotations = metadata.object("annotations");
    if (annotations.string(ANNOTATION).isEmpty()) {
      return object;
    }
    var text = text(applied);
    var refreshed = annotations.with(ANNOTATION, text);
    if (size(refreshed) > MOST_ANNOTATION_BYTES) {
      refreshed = annotations.without(ANNOTATION);
    }
    return object.with("metadata", metadata.with("annotations", refreshed));
  }

  private static String text(JsonObject applied) {
    var bare =
        applied.object("metadata").get("annotations") instanceof JsonObject
            ? applied.withoutAt("metadata", "annotations", ANNOTATION)
            : applied.withoutAt("metadata", "annotations");
    return new String(JsonWriter.bytes(sorted(bare)), StandardCharsets.UTF_8) + "\n";
  }

  private static Json sorted(Json value) {
    return switch (value) {
      case JsonObject object -> {
        var members = new TreeMap<String, Json>(ElementOrder::compareTexts);
        for (int i = 0; i < object.size(); i++) {
          members.put(object.key(i), sorted(object.value(i)));
        }
        yield JsonObject.ofUnique(
            members.keySet().toArray(new String[0]), members.values().toArray(new Json[0]));
      }
      case JsonArray array -> array.map(LastApplied::sorted);
      case Json other -> other;
    };
  }

  private static long size(JsonObject annotations) {
    long size = 0;
    for (var entry : annotations.strings().entrySet()) {
      size += entry.getKey().getBytes(StandardCharsets.UTF_8).length;
      size += entry.getValue().getBytes(StandardCharsets.UTF_8).length;
    }
    return size;
  }
}
