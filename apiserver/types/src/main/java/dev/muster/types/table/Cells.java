package dev.muster.types.table;

import dev.muster.model.HumanDuration;
import dev.muster.model.MalformedValueException;
import dev.muster.model.Timestamps;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonInteger;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonNumber;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import dev.muster.model.select.LabelSelector;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Columns and cell values that several tables share. */
final class Cells {
  static final String NONE = "<none>";
  static final String UNSET = "<unset>";
  static final String UNKNOWN = "<unknown>";

  private static final String NAME = "Name of the object, unique among those beside it.";
  private static final String AGE = "How long ago the object was made.";

  private Cells() {}

  static Column name() {
    return name(object -> object.object("metadata").string("name"));
  }

  static Column name(Function<JsonObject, String> name) {
    return new Column(
        "Name", "string", "name", 0, NAME, (object, now) -> Json.of(name.apply(object)));
  }

  static Column age() {
    return new Column("Age", "string", "", 0, AGE, Cells::age);
  }

  static Json age(JsonObject object, Instant now) {
    return Json.of(since(object.at("metadata", "creationTimestamp"), now));
  }

  /** A text column. */
  static Column text(String name, String description, Function<JsonObject, String> value) {
    return new Column(
        name, "string", "", 0, description, (object, now) -> Json.of(value.apply(object)));
  }

  /** A text column that depends on the current time. */
  static Column timed(String name, String description, Column.Cell value) {
    return new Column(name, "string", "", 0, description, value);
  }

  /** An integer column. */
  static Column integer(String name, String description, Function<JsonObject, Long> value) {
    return new Column(
        name, "integer", "", 0, description, (object, now) -> Json.of(value.apply(object)));
  }

  /** A column of numbers that is declared as text. */
  static Column count(String name, String description, Function<JsonObject, Long> value) {
    return new Column(
        name, "string", "", 0, description, (object, now) -> Json.of(value.apply(object)));
  }

  static Column flag(String name, String description, Function<JsonObject, Boolean> value) {
    return new Column(
        name, "boolean", "", 0, description, (object, now) -> Json.of(value.apply(object)));
  }

  /** The columns about the containers of a pod template. */
  static Column containers(Function<JsonObject, JsonObject> podSpec) {
    return text("Containers", "Names of the containers in the template.", joined(podSpec, "name"))
        .wide();
  }

  static Column images(Function<JsonObject, JsonObject> podSpec) {
    return text("Images", "Images of the containers in the template.", joined(podSpec, "image"))
        .wide();
  }

  static Function<JsonObject, String> joined(
      Function<JsonObject, JsonObject> podSpec, String field) {
    return object -> {
      var texts = new ArrayList<String>();
      for (var container : podSpec.apply(object).array("containers").objects()) {
        texts.add(container.string(field));
      }
      return String.join(",", texts);
    };
  }

  /** Reads the scalar at a path as text; "" when there is none. */
  static Function<JsonObject, String> path(String... path) {
    return object -> string(object.at(path));
  }

  /** Like {@link #path}, with another text when there is none. */
  static Function<JsonObject, String> pathOr(String otherwise, String... path) {
    return object -> {
      var value = object.at(path);
      return value == null || value == JsonNull.NULL ? otherwise : string(value);
    };
  }

  static Function<JsonObject, Long> number(String... path) {
    return object -> object.at(path) instanceof JsonInteger number ? number.value() : 0L;
  }

  static Function<JsonObject, Long> size(String... path) {
    return object ->
        switch (object.at(path)) {
          case JsonArray array -> (long) array.size();
          case JsonObject map -> (long) map.size();
          case null, default -> 0L;
        };
  }

  static String string(@Nullable Json value) {
    return switch (value) {
      case null -> "";
      case JsonString text -> text.value();
      case JsonNumber number -> number.toString();
      case JsonBool bool -> bool.toString();
      case JsonNull ignored -> "";
      case JsonObject object -> object.toString();
      case JsonArray array -> array.toString();
    };
  }

  static String orElse(String text, String otherwise) {
    return text.isEmpty() ? otherwise : text;
  }

  static String since(@Nullable Json time, Instant now) {
    return HumanDuration.since(Timestamps.read(time), now);
  }

  /** Labels as {@code a=b,c=d}, sorted. */
  static String labels(JsonObject labels) {
    var texts = new ArrayList<String>();
    labels.strings().forEach((key, value) -> texts.add(key + "=" + value));
    texts.sort(null);
    return orElse(String.join(",", texts), NONE);
  }

  /** A LabelSelector as text. */
  static String selector(@Nullable Json selector) {
    try {
      var object = selector instanceof JsonObject given ? given : null;
      return orElse(LabelSelector.ofObject(object).toString(), NONE);
    } catch (MalformedValueException e) {
      return "<error>";
    }
  }

  /** The first texts, and the number of the others. */
  static String some(List<String> texts, int shown, String separator) {
    if (texts.size() <= shown) {
      return String.join(separator, texts);
    }
    return String.join(separator, texts.subList(0, shown))
        + " + "
        + (texts.size() - shown)
        + " more...";
  }

  static boolean hasTrueCondition(JsonObject status, String type) {
    for (var condition : status.array("conditions").objects()) {
      if (condition.string("type").equals(type)) {
        return condition.string("status").equals("True");
      }
    }
    return false;
  }
}
