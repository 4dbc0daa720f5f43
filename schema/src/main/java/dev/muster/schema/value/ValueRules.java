package dev.muster.schema.value;

import com.google.re2j.PatternSyntaxException;
import dev.muster.model.FieldError;
import dev.muster.model.FieldPath;
import dev.muster.model.GoText;
import dev.muster.model.Json;
import dev.muster.model.JsonArray;
import dev.muster.model.JsonBool;
import dev.muster.model.JsonInteger;
import dev.muster.model.JsonNull;
import dev.muster.model.JsonNumber;
import dev.muster.model.JsonObject;
import dev.muster.model.JsonString;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/**
 * Holds a value against a schema of OpenAPI as kube-apiserver does: types, texts, numbers, lists,
 * structs and junctors, in its words. Expressions and lists that are sets or maps are not looked
 * at.
 */
public final class ValueRules {
  private ValueRules() {}

  /** What is wrong with a value that stands at a place. */
  public static List<FieldError> check(Json value, JsonObject schema, FieldPath place) {
    var found = new Findings(place);
    value(value, schema, "", found);
    return found.errors;
  }

  private static void value(Json value, JsonObject schema, String name, Findings found) {
    var types = types(schema);
    if (type(value, schema, types, name, found)) {
      found.passed++;
    }
    if (value == JsonNull.NULL) {
      choices(value, schema, name, found);
      return;
    }
    junctors(value, schema, name, found);
    switch (value) {
      case JsonString text -> text(text, schema, name, found);
      case JsonNumber number -> Numbers.check(number, schema, name, found);
      case JsonArray list -> list(list, schema, name, found);
      case JsonObject object -> object(object, schema, name, found);
      case JsonBool ignored -> {}
      case JsonNull ignored -> {}
    }
    choices(value, schema, name, found);
    found.passed++;
  }

  private static List<String> types(JsonObject schema) {
    if (schema.isTrue("x-kubernetes-int-or-string")) {
      return List.of("integer", "string");
    }
    return schema.string("type").isEmpty() ? List.of() : List.of(schema.string("type"));
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
      Json value, JsonObject schema, List<String> types, String name, Findings found) {
    if (types.isEmpty()) {
      return true;
    }
    var type = typeOf(value);
    boolean numbers = types.contains("number") || types.contains("integer");
    boolean fits =
        types.contains(type)
            || (type.equals("integer") && types.contains("number"))
            || (value instanceof JsonNumber number && isWhole(number) && types.contains("integer"))
            || (value == JsonNull.NULL && schema.isTrue("nullable"))
            || (!numbers
                && !schema.string("format").isEmpty()
                && (type.equals("string") || type.equals("array")));
    if (!fits) {
      found.type(name, String.join(",", types), type);
    }
    return fits;
  }

  private static boolean isWhole(JsonNumber number) {
    return number.doubleValue() == Math.rint(number.doubleValue());
  }

  private static void text(JsonString string, JsonObject schema, String name, Findings found) {
    var text = string.value();
    int length = text.codePointCount(0, text.length());
    if (schema.get("maxLength") instanceof JsonInteger most && length > most.value()) {
      found.errors.add(FieldError.tooLong(found.at(name), (int) most.value()));
    } else if (schema.get("minLength") instanceof JsonInteger least && length < least.value()) {
      found.invalid(name, string, "should be at least " + least.value() + " chars long");
    } else if (!schema.string("pattern").isEmpty() && !matches(schema.string("pattern"), text)) {
      found.invalid(name, string, "should match '" + schema.string("pattern") + "'");
    }
    if (!ValueFormats.isSound(schema.string("format"), text)) {
      found.type(name, schema.string("format"), text);
    }
  }

  private static boolean matches(String pattern, String text) {
    try {
      return Patterns.compile(pattern).matcher(text).find();
    } catch (PatternSyntaxException e) {
      return false;
    }
  }

  private static void choices(Json value, JsonObject schema, String name, Findings found) {
    var choices = schema.array("enum");
    if (choices.isEmpty()) {
      return;
    }
    var shown = new ArrayList<String>();
    for (var choice : choices) {
      if (same(value, choice)) {
        return;
      }
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

  private static void list(JsonArray list, JsonObject schema, String name, Findings found) {
    if (schema.get("items") instanceof JsonObject items) {
      for (int i = 0; i < list.size(); i++) {
        value(list.get(i), items, name + "[" + i + "]", found);
      }
    }
    if (schema.get("minItems") instanceof JsonInteger least && list.size() < least.value()) {
      found.invalid(name, Json.of(list.size()), "should have at least " + least.value() + " items");
    }
    if (schema.get("maxItems") instanceof JsonInteger most && list.size() > most.value()) {
      found.errors.add(FieldError.tooMany(found.at(name), list.size(), (int) most.value()));
    }
    if (schema.isTrue("uniqueItems") && new HashSet<>(list.asList()).size() < list.size()) {
      found.invalid(name, Json.of(""), "shouldn't contain duplicates");
    }
    found.passed++;
  }

  private static void object(JsonObject object, JsonObject schema, String name, Findings found) {
    if (schema.get("minProperties") instanceof JsonInteger least && object.size() < least.value()) {
      found.invalid(
          name, Json.of(object.size()), "should have at least " + least.value() + " properties");
    }
    if (schema.get("maxProperties") instanceof JsonInteger most && object.size() > most.value()) {
      found.errors.add(FieldError.tooMany(found.at(name), object.size(), (int) most.value()));
    }
    var properties = schema.object("properties");
    for (int i = 0; i < object.size(); i++) {
      var key = object.key(i);
      if (properties.get(key) instanceof JsonObject property) {
        value(object.value(i), property, name.isEmpty() ? key : name + "." + key, found);
      } else if (schema.get("additionalProperties") instanceof JsonObject values) {
        value(object.value(i), values, name + "." + key, found);
      } else if (schema.get("additionalProperties") == JsonBool.FALSE) {
        found.errors.add(
            FieldError.invalid(
                found.at(name),
                Json.of(key),
                name + "." + key + " in body is a forbidden property"));
      }
    }
    for (var key : schema.array("required").strings()) {
      if (!object.has(key)) {
        found.errors.add(FieldError.required(found.at(name + "." + key), ""));
      }
    }
  }

  private static void junctors(Json value, JsonObject schema, String name, Findings found) {
    var quoted = GoText.quote(name);
    var anyOf = schema.array("anyOf").objects();
    if (!anyOf.isEmpty()) {
      alternatives(value, anyOf, name, found, false);
    }
    var oneOf = schema.array("oneOf").objects();
    if (!oneOf.isEmpty()) {
      alternatives(value, oneOf, name, found, true);
    }
    var allOf = schema.array("allOf").objects();
    int sound = 0;
    for (var part : allOf) {
      var result = found.fresh();
      value(value, part, name, result);
      sound += result.isSound() ? 1 : 0;
      found.add(result);
    }
    if (sound < allOf.size()) {
      found.whole(
          quoted
              + " must validate all the schemas (allOf)"
              + (sound == 0 ? ". None validated" : ""));
    }
    if (schema.get("not") instanceof JsonObject not) {
      var result = found.fresh();
      value(value, not, name, result);
      if (result.isSound()) {
        found.whole(quoted + " must not validate the schema (not)");
      }
    }
    found.passed++;
  }

  /** The problems of the alternative that is closest stand beside the complaint. */
  private static void alternatives(
      Json value, List<JsonObject> schemas, String name, Findings found, boolean one) {
    int sound = 0;
    Findings closest = null;
    for (var schema : schemas) {
      var result = found.fresh();
      value(value, schema, name, result);
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
