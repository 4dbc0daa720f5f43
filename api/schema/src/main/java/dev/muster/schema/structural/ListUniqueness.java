package dev.muster.schema.structural;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import java.util.HashMap;
import java.util.List;

/** Checks that lists of type set or map have no duplicate items. */
public final class ListUniqueness {
  private ListUniqueness() {}

  /** Reports the duplicates in the lists of a value. */
  public static void check(
      Json value, StructuralSchema schema, FieldPath place, List<FieldError> errors) {
    if (!schema.hasListTypes()) {
      return;
    }
    switch (value) {
      case JsonObject object -> {
        for (int i = 0; i < object.size(); i++) {
          var name = object.key(i);
          var property = schema.properties().get(name);
          if (property != null) {
            check(object.value(i), property, place.child(name), errors);
          } else if (schema.additional() != null) {
            check(object.value(i), schema.additional(), place.key(name), errors);
          }
        }
      }
      case JsonArray list -> {
        switch (schema.listType()) {
          case SET -> duplicates(list, list, place, errors);
          case MAP -> keys(list, schema, place, errors);
          case ATOMIC -> {}
        }
        if (schema.items() != null) {
          for (int i = 0; i < list.size(); i++) {
            check(list.get(i), schema.items(), place.index(i), errors);
          }
        }
      }
      default -> {}
    }
  }

  private static void keys(
      JsonArray list, StructuralSchema schema, FieldPath place, List<FieldError> errors) {
    var keys = new Json[list.size()];
    for (int i = 0; i < keys.length; i++) {
      var item = list.get(i);
      if (!(item instanceof JsonObject) && item != JsonNull.NULL) {
        errors.add(
            FieldError.invalid(
                place.index(i), item, "must be an object for an array of list-type map"));
        return;
      }
      var key = JsonObject.builder();
      for (var name : schema.listKeys()) {
        var part = item instanceof JsonObject object ? object.get(name) : null;
        if (part != null) {
          key.put(name, part);
        }
      }
      keys[i] = key.build();
    }
    duplicates(list, JsonArray.owning(keys), place, errors);
  }

  /** Reports each duplicate value once, at its second occurrence. */
  private static void duplicates(
      JsonArray list, JsonArray told, FieldPath place, List<FieldError> errors) {
    var seen = new HashMap<Json, Integer>();
    for (int i = 0; i < list.size(); i++) {
      if (seen.merge(told.get(i), 1, Integer::sum) == 2) {
        errors.add(FieldError.duplicate(place.index(i), told.get(i)));
      }
    }
  }
}
