package dev.muster.patch.ownership.typed;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonNumber;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import dev.muster.patch.edit.GoValue;
import dev.muster.patch.ownership.fields.Elements;
import dev.muster.schema.ListShape;
import dev.muster.schema.MapShape;
import dev.muster.schema.Scalar;
import dev.muster.schema.Shape;
import dev.muster.schema.StructShape;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Validates a configuration against the structure of its kind: known fields, correct types, unique
 * keys.
 */
public final class TypedValidation {
  /** The limit of reported errors, which keeps the response readable. */
  private static final int MOST_ERRORS = 20;

  private final List<String> errors = new ArrayList<>();

  private TypedValidation() {}

  /** The errors with upstream's messages; "" when there are none. */
  public static String complaint(StructShape shape, JsonObject object) {
    var walk = new TypedValidation();
    walk.visit(shape, object, null);
    return switch (walk.errors.size()) {
      case 0 -> "";
      case 1 -> walk.errors.getFirst();
      default -> "errors:\n  " + String.join("\n  ", walk.errors);
    };
  }

  /** A path that is formatted only when an error contains it. */
  private record Step(@Nullable Step parent, String element) {
    String text() {
      return (parent == null ? "" : parent.text()) + Elements.text(element);
    }
  }

  private void error(@Nullable Step path, String message) {
    if (errors.size() < MOST_ERRORS) {
      errors.add(path == null ? message : path.text() + ": " + message);
    }
  }

  private void visit(Shape shape, Json value, @Nullable Step path) {
    boolean anything = shape == StructShape.FREE && !(value instanceof JsonObject);
    if (value == JsonNull.NULL || anything) {
      return;
    }
    switch (shape) {
      case Scalar scalar -> scalar(scalar, value, path);
      case ListShape list -> {
        if (value instanceof JsonArray items) {
          items(list, items, path);
        } else {
          error(path, "expected list, got " + GoValue.print(value));
        }
      }
      case StructShape ignored -> members(shape, value, path);
      case MapShape ignored -> members(shape, value, path);
    }
  }

  private void members(Shape shape, Json value, @Nullable Step path) {
    if (!(value instanceof JsonObject object)) {
      error(path, "expected map, got " + GoValue.print(value));
      return;
    }
    for (int i = 0; i < object.size(); i++) {
      var name = object.key(i);
      var below = new Step(path, Elements.field(name));
      if (shape instanceof StructShape struct && !Typing.takes(struct, name)) {
        error(below, "field not declared in schema");
        return;
      }
      visit(Typing.member(shape, name), object.value(i), below);
    }
  }

  private void items(ListShape list, JsonArray items, @Nullable Step path) {
    var seen = new HashSet<String>();
    for (int i = 0; i < items.size(); i++) {
      var item = items.get(i);
      var element = "i:" + i;
      if (list.kind() != ListShape.Kind.ATOMIC) {
        element = ListKeys.element(list, item);
        if (element == null) {
          error(path, "element " + i + ": " + ListKeys.complaint(list, item));
          return;
        }
        if (!seen.add(element)) {
          error(path, "duplicate entries for key " + Elements.text(element));
        }
      }
      visit(list.items(), item, new Step(path, element));
    }
  }

  private void scalar(Scalar scalar, Json value, @Nullable Step path) {
    switch (scalar) {
      case STRING, BYTES, DURATION -> {
        if (!(value instanceof JsonString)) {
          error(path, "expected string, got " + GoValue.print(value));
        }
      }
      case BOOLEAN -> {
        if (!(value instanceof JsonBool)) {
          error(path, "expected boolean, got " + GoValue.print(value));
        }
      }
      case INT32, INT64, DOUBLE -> {
        if (!(value instanceof JsonNumber)) {
          error(path, "expected numeric (int or float), got " + GoValue.type(value));
        }
      }
      case TIME, MICRO_TIME, QUANTITY -> {
        if (value instanceof JsonObject || value instanceof JsonArray) {
          error(path, "expected any scalar, got " + GoValue.print(value));
        }
      }
      case INT_OR_STRING, ANY, FIELDS_V1, SCHEMA_OR_ARRAY, SCHEMA_OR_BOOL, SCHEMA_OR_STRINGS -> {}
    }
  }
}
