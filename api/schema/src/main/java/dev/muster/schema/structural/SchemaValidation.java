package dev.muster.schema.structural;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonInteger;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonNumber;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Validates a value against an OpenAPI schema like kube-apiserver and with its messages: types,
 * texts, numbers, lists, structs and junctors. An update is not validated where it changes nothing.
 * Other classes check CEL rules and the uniqueness of list items.
 */
public final class SchemaValidation {
  private static final Set<String> TYPE_FIELDS = Set.of("kind", "apiVersion");

  private SchemaValidation() {}

  /** The errors of a new value at that path. */
  public static List<FieldError> create(Json value, StructuralSchema schema, FieldPath place) {
    var found = new Findings(place);
    value(value, schema, null, "", found);
    return found.errors;
  }

  /** The errors of an updated value at that path, where it has changed. */
  public static List<FieldError> update(
      Correlation value, Json now, StructuralSchema schema, FieldPath place) {
    var found = new Findings(place);
    value(now, schema, value, "", found);
    return found.errors;
  }

  /**
   * @param correlation the pair with the old value, or null when there is none
   */
  private static void value(
      Json value,
      StructuralSchema schema,
      @Nullable Correlation correlation,
      String name,
      Findings found) {
    int before = found.errors.size();
    check(value, schema, correlation, name, found);
    if (found.errors.size() > before && correlation != null && correlation.isSame()) {
      found.errors.subList(before, found.errors.size()).clear();
    }
  }

  private static void check(
      Json value,
      StructuralSchema schema,
      @Nullable Correlation correlation,
      String name,
      Findings found) {
    var types = types(schema);
    if (type(value, schema, types, name, found)) {
      found.passed++;
    }
    if (value == JsonNull.NULL) {
      choices(value, schema, name, found);
      return;
    }
    junctors(value, schema, correlation, name, found);
    switch (value) {
      case JsonString text -> text(text, schema, name, found);
      case JsonNumber number -> NumberValidation.check(number, schema, name, found);
      case JsonArray list -> list(list, schema, correlation, name, found);
      case JsonObject object -> object(object, schema, correlation, name, found);
      case JsonBool ignored -> {}
      case JsonNull ignored -> {}
    }
    choices(value, schema, name, found);
    found.passed++;
  }

  private static List<String> types(StructuralSchema schema) {
    if (schema.isIntOrString()) {
      return List.of("integer", "string");
    }
    return schema.type().isEmpty() ? List.of() : List.of(schema.type());
  }

  private static String typeOf(Json value) {
    return switch (value) {
      case JsonString ignored -> "string";
      case JsonInteger ignored -> "integer";
      case JsonNumber ignored -> "number";
      case JsonArray ignored -> "array";
      case JsonObject ignored -> "object";
      case JsonBool ignored -> "boolean";
      case JsonNull ignored -> "null";
    };
  }

  private static boolean type(
      Json value, StructuralSchema schema, List<String> types, String name, Findings found) {
    if (types.isEmpty()) {
      return true;
    }
    var type = typeOf(value);
    boolean numbers = types.contains("number") || types.contains("integer");
    boolean fits =
        types.contains(type)
            || (type.equals("integer") && types.contains("number"))
            || (value instanceof JsonNumber number && isWhole(number) && types.contains("integer"))
            || (value == JsonNull.NULL && schema.isNullable())
            || (!numbers
                && !schema.format().isEmpty()
                && (type.equals("string") || type.equals("array")));
    boolean formatted =
        !schema.format().isEmpty()
            && !type.equals("string")
            && !type.equals("array")
            && !type.equals("null");
    if (!fits) {
      found.type(
          name,
          formatted ? schema.format() : String.join(",", types),
          formatted ? formatOf(type) : type);
    }
    return fits;
  }

  /** The format in upstream's message for a value whose type does not fit a format. */
  private static String formatOf(String type) {
    return switch (type) {
      case "integer" -> "int64";
      case "number" -> "float64";
      default -> "";
    };
  }

  private static boolean isWhole(JsonNumber number) {
    double value = number.doubleValue();
    return value == Math.rint(value) && Math.abs(value) < 0x1p53;
  }

  private static void text(
      JsonString string, StructuralSchema schema, String name, Findings found) {
    var text = string.value();
    var limits = schema.length();
    var pattern = schema.pattern();
    if (limits.least() >= 0 || limits.most() >= 0) {
      int length = text.codePointCount(0, text.length());
      if (limits.most() >= 0 && length > limits.most()) {
        found.errors.add(FieldError.tooLong(found.at(name), (int) limits.most()));
        pattern = null;
      } else if (length < limits.least()) {
        found.invalid(name, string, "should be at least " + limits.least() + " chars long");
        pattern = null;
      }
    }
    if (pattern != null && !pattern.matches(text)) {
      found.invalid(name, string, "should match '" + pattern.text() + "'");
    }
    if (!schema.format().isEmpty() && !ValueFormats.isSound(schema.format(), text)) {
      found.type(name, schema.format(), text);
    }
  }

  private static void choices(Json value, StructuralSchema schema, String name, Findings found) {
    var choices = schema.choices();
    if (choices.isEmpty()) {
      return;
    }
    for (var choice : choices) {
      if (same(value, choice)) {
        return;
      }
    }
    var shown = new ArrayList<String>();
    for (var choice : choices) {
      shown.add(choice instanceof JsonString text ? text.value() : choice.toString());
    }
    found.errors.add(FieldError.notSupported(found.at(name), value, shown));
  }

  private static boolean same(Json value, Json choice) {
    if (value instanceof JsonNumber one && choice instanceof JsonNumber other) {
      return one.doubleValue() == other.doubleValue();
    }
    return value.equals(choice);
  }

  private static void list(
      JsonArray list,
      StructuralSchema schema,
      @Nullable Correlation correlation,
      String name,
      Findings found) {
    var items = schema.items();
    if (items != null) {
      for (int i = 0; i < list.size(); i++) {
        var item = correlation == null ? null : correlation.item(i);
        value(list.get(i), items, item, name + "[" + i + "]", found);
      }
    }
    var limits = schema.itemCount();
    if (list.size() < limits.least()) {
      found.invalid(
          name, Json.of(list.size()), "should have at least " + limits.least() + " items");
    }
    if (limits.most() >= 0 && list.size() > limits.most()) {
      found.errors.add(FieldError.tooMany(found.at(name), list.size(), (int) limits.most()));
    }
    if (schema.hasUniqueItems() && new HashSet<>(list.asList()).size() < list.size()) {
      found.invalid(name, Json.of(""), "shouldn't contain duplicates");
    }
    found.passed++;
  }

  private static void object(
      JsonObject object,
      StructuralSchema schema,
      @Nullable Correlation correlation,
      String name,
      Findings found) {
    var limits = schema.propertyCount();
    if (object.size() < limits.least()) {
      found.invalid(
          name, Json.of(object.size()), "should have at least " + limits.least() + " properties");
    }
    if (limits.most() >= 0 && object.size() > limits.most()) {
      found.errors.add(FieldError.tooMany(found.at(name), object.size(), (int) limits.most()));
    }
    for (int i = 0; i < object.size(); i++) {
      var key = object.key(i);
      var property = schema.properties().get(key);
      var values = schema.additional();
      if (property != null) {
        var member = name.isEmpty() && TYPE_FIELDS.contains(key) ? null : member(correlation, key);
        value(object.value(i), property, member, name.isEmpty() ? key : name + "." + key, found);
      } else if (values != null) {
        value(object.value(i), values, member(correlation, key), name + "." + key, found);
      } else if (schema.forbidsAdditional()) {
        found.errors.add(
            FieldError.invalid(
                found.at(name),
                Json.of(key),
                name + "." + key + " in body is a forbidden property"));
      }
    }
    for (var key : schema.required()) {
      if (!object.has(key)) {
        found.errors.add(FieldError.required(found.at(name + "." + key), ""));
      }
    }
  }

  private static @Nullable Correlation member(@Nullable Correlation correlation, String key) {
    return correlation == null ? null : correlation.member(key);
  }

  private static void junctors(
      Json value,
      StructuralSchema schema,
      @Nullable Correlation correlation,
      String name,
      Findings found) {
    var junctors = schema.junctors();
    found.passed++;
    if (junctors == null) {
      return;
    }
    if (!junctors.anyOf().isEmpty()) {
      alternatives(value, junctors.anyOf(), correlation, name, found, false);
    }
    if (!junctors.oneOf().isEmpty()) {
      alternatives(value, junctors.oneOf(), correlation, name, found, true);
    }
    int sound = 0;
    for (var part : junctors.allOf()) {
      var result = found.fresh();
      check(value, part, correlation, name, result);
      sound += result.isSound() ? 1 : 0;
      found.add(result);
    }
    var quoted = GoText.quote(name);
    if (sound < junctors.allOf().size()) {
      found.whole(
          quoted
              + " must validate all the schemas (allOf)"
              + (sound == 0 ? ". None validated" : ""));
    }
    if (junctors.not() != null) {
      var result = found.fresh();
      check(value, junctors.not(), correlation, name, result);
      if (result.isSound()) {
        found.whole(quoted + " must not validate the schema (not)");
      }
    }
  }

  /** Reports the errors of the closest alternative, too. */
  private static void alternatives(
      Json value,
      List<StructuralSchema> schemas,
      @Nullable Correlation correlation,
      String name,
      Findings found,
      boolean one) {
    int sound = 0;
    Findings closest = null;
    for (var schema : schemas) {
      var result = found.fresh();
      check(value, schema, correlation, name, result);
      if (result.isSound()) {
        sound++;
        if (!one) {
          return;
        }
      } else if (closest == null || result.passed > closest.passed) {
        closest = result;
      }
    }
    var quoted = GoText.quote(name);
    if (!one) {
      found.whole(quoted + " must validate at least one schema (anyOf)");
    } else if (sound != 1) {
      found.whole(
          quoted
              + " must validate one and only one schema (oneOf). "
              + (sound == 0 ? "Found none valid" : "Found " + sound + " valid alternatives"));
    }
    if (sound == 0 && closest != null) {
      found.add(closest);
    }
  }
}
