package dev.muster.registry.custom;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonInteger;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import dev.muster.patch.edit.GoValue;
import dev.muster.types.ScalePaths;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The paths of the replica counts and the selector for the {@code scale} subresource of a custom
 * resource; empty without that subresource.
 */
record ScaleRules(String specReplicas, String statusReplicas, String selector) {
  static final ScaleRules NONE = new ScaleRules("", "", "");

  /**
   * @param version of a definition
   */
  static ScaleRules of(JsonObject version) {
    var scale = version.object("subresources", "scale");
    return new ScaleRules(
        scale.string("specReplicasPath"),
        scale.string("statusReplicasPath"),
        scale.string("labelSelectorPath"));
  }

  boolean isPresent() {
    return !specReplicas.isEmpty();
  }

  ScalePaths paths() {
    return new ScalePaths(
        names(specReplicas),
        names(statusReplicas),
        selector.isEmpty() ? List.of() : names(selector),
        ScalePaths.SelectorForm.TEXT);
  }

  private static List<String> names(String path) {
    return List.of((path.startsWith(".") ? path.substring(1) : path).split("\\.", -1));
  }

  void checkSpec(JsonObject object, List<FieldError> errors) {
    if (isPresent()) {
      number(object, specReplicas, errors);
    }
  }

  void checkStatus(JsonObject object, List<FieldError> errors) {
    if (!isPresent()) {
      return;
    }
    number(object, statusReplicas, errors);
    if (!selector.isEmpty()) {
      var found = find(object, selector, errors, Json.of(""));
      if (found != null && !(found instanceof JsonString)) {
        errors.add(
            FieldError.invalid(
                new FieldPath(selector), Json.of(""), mismatch(selector, found, "string")));
      }
    }
  }

  private static void number(JsonObject object, String path, List<FieldError> errors) {
    var found = find(object, path, errors, Json.of(0));
    var at = new FieldPath(path);
    if (found instanceof JsonInteger number) {
      if (number.value() < 0) {
        errors.add(FieldError.invalid(at, number, "should be a non-negative integer"));
      } else if (number.value() > Integer.MAX_VALUE) {
        errors.add(
            FieldError.invalid(at, number, "should be less than or equal to " + Integer.MAX_VALUE));
      }
    } else if (found != null) {
      errors.add(FieldError.invalid(at, Json.of(0), mismatch(path, found, "int64")));
    }
  }

  /** The value at a path, or null when there is none. */
  private static @Nullable Json find(
      JsonObject object, String path, List<FieldError> errors, Json otherwise) {
    Json value = object;
    var way = new StringBuilder();
    for (var name : names(path)) {
      if (!(value instanceof JsonObject holder)) {
        if (value == JsonNull.NULL) {
          return null;
        }
        errors.add(
            FieldError.invalid(
                new FieldPath(path),
                otherwise,
                mismatch(way.toString(), value, "map[string]interface{}")));
        return null;
      }
      way.append('.').append(name);
      var next = holder.get(name);
      if (next == null) {
        return null;
      }
      value = next;
    }
    return value;
  }

  private static String mismatch(String path, Json value, String wanted) {
    return path
        + " accessor error: "
        + GoValue.print(value)
        + " is of the type "
        + GoValue.type(value)
        + ", expected "
        + wanted;
  }
}
