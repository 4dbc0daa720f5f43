package dev.muster.patch.ownership;

import dev.muster.model.MalformedValueException;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.patch.ownership.typed.TypedMerge;
import dev.muster.patch.ownership.typed.TypedValidation;
import dev.muster.schema.ListShape;
import dev.muster.schema.MapShape;
import dev.muster.schema.Scalar;
import dev.muster.schema.Shape;
import dev.muster.schema.StructShape;
import java.util.ArrayList;
import java.util.List;

/**
 * Merges an apply configuration into an object without changing field ownership, as mutating
 * admission policies do.
 */
public final class ConfigurationMerge {
  private final List<String> atomics = new ArrayList<>();

  private ConfigurationMerge() {}

  /**
   * The object with the values of the configuration.
   *
   * @throws MalformedValueException with upstream's message when the configuration does not match
   *     the shape, or sets an atomic list or struct
   */
  public static JsonObject merge(StructShape shape, JsonObject live, JsonObject configuration) {
    var complaint = TypedValidation.complaint(shape, configuration);
    if (!complaint.isEmpty()) {
      throw new MalformedValueException(
          "failed to convert patch object to typed object: " + complaint);
    }
    var found = new ConfigurationMerge();
    found.visit(shape, configuration, "");
    if (!found.atomics.isEmpty()) {
      throw new MalformedValueException(
          "invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: "
              + String.join(", ", found.atomics));
    }
    return TypedMerge.merge(shape, live, configuration);
  }

  /**
   * Records atomic values of the configuration: setting one would lose the fields that it omits.
   */
  private void visit(Shape shape, Json value, String path) {
    switch (shape) {
      case Scalar ignored -> {}
      case ListShape list when value instanceof JsonArray array -> items(list, array, path);
      case MapShape map when value instanceof JsonObject -> note(map.atomic(), path);
      case StructShape struct when value instanceof JsonObject object -> {
        note(struct.atomic(), path);
        for (int i = 0; i < object.size(); i++) {
          var field = struct.field(object.key(i));
          if (field != null) {
            visit(field.shape(), object.value(i), path + "." + object.key(i));
          }
        }
      }
      case ListShape ignored -> {}
      case MapShape ignored -> {}
      case StructShape ignored -> {}
    }
  }

  private void items(ListShape list, JsonArray array, String path) {
    note(list.kind() == ListShape.Kind.ATOMIC, path);
    for (int i = 0; i < array.size(); i++) {
      visit(list.items(), array.get(i), path + "[" + i + "]");
    }
  }

  private void note(boolean atomic, String path) {
    if (atomic) {
      atomics.add(path);
    }
  }
}
