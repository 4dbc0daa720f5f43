package dev.muster.validation.pods.scheduling;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonInteger;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonNumber;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.core.GoJson;
import dev.muster.wire.JsonReader;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;

/** Validates the annotation that held tolerations before there was a field. */
public final class TolerationAnnotation {
  static final String KEY = "scheduler.alpha.kubernetes.io/tolerations";

  /** The Go names of the fields, with the types in Go's errors. */
  private static final Map<String, String> TYPES =
      Map.of(
          "Key", "string",
          "Operator", "core.TolerationOperator",
          "Value", "string",
          "Effect", "core.TaintEffect",
          "TolerationSeconds", "int64");

  private TolerationAnnotation() {}

  public static void check(FieldCursor annotations) {
    var text = annotations.entry(KEY).text();
    if (text.isEmpty()) {
      return;
    }
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    var problem = GoJson.problemOfList(bytes, "[]core.Toleration");
    var list = JsonArray.EMPTY;
    if (problem.isEmpty() && JsonReader.read(bytes) instanceof JsonArray array) {
      list = array;
      problem = mismatch(array);
    }
    if (!problem.isEmpty()) {
      annotations.invalid(Json.of(KEY), problem);
      return;
    }
    TolerationRules.check(annotations.at(KEY).with(list.map(TolerationAnnotation::named)));
  }

  /** The error for the first value of a wrong type. */
  private static String mismatch(JsonArray list) {
    for (var item : list.asList()) {
      if (item instanceof JsonObject toleration) {
        for (int i = 0; i < toleration.size(); i++) {
          var field = field(toleration.key(i));
          var type = TYPES.get(field);
          if (type != null && !fits(toleration.value(i), type)) {
            return cannot(toleration.value(i), type)
                + " into Go struct field Toleration."
                + field
                + " of type "
                + type;
          }
        }
      } else if (item != JsonNull.NULL) {
        return cannot(item, "") + " into Go value of type core.Toleration";
      }
    }
    return "";
  }

  private static boolean fits(Json value, String type) {
    return value == JsonNull.NULL
        || (type.equals("int64") ? value instanceof JsonInteger : value instanceof JsonString);
  }

  private static String cannot(Json value, String type) {
    var number = value instanceof JsonNumber && type.equals("int64") ? " " + value : "";
    return "json: cannot unmarshal " + GoText.kind(value) + number;
  }

  /** The field of a key in any case; "" when there is none. */
  private static String field(String key) {
    for (var name : TYPES.keySet()) {
      if (name.equalsIgnoreCase(key)) {
        return name;
      }
    }
    return "";
  }

  /** The toleration with the field names of the API. */
  private static Json named(Json item) {
    var named = JsonObject.EMPTY;
    if (item instanceof JsonObject toleration) {
      for (int i = 0; i < toleration.size(); i++) {
        var field = field(toleration.key(i));
        if (!field.isEmpty()) {
          var name = field.substring(0, 1).toLowerCase(Locale.ROOT) + field.substring(1);
          named = named.with(name, toleration.value(i));
        }
      }
    }
    return named;
  }
}
