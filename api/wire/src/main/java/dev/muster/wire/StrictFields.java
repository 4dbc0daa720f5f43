package dev.muster.wire;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonNumber;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of an object in a configuration file one by one, like Go's strict decoder. It
 * reports fields that the reader did not take and fields that are repeated. Only one thread uses
 * it.
 */
public final class StrictFields {
  private final JsonObject object;
  private final String path;
  private final Set<String> left;
  private final Duplicates duplicates;
  private final List<String> complaints;

  private StrictFields(
      JsonObject object, String path, Duplicates duplicates, List<String> complaints) {
    this.object = object;
    this.duplicates = duplicates;
    this.path = path;
    this.left = new LinkedHashSet<>(object.keys());
    this.complaints = complaints;
  }

  /**
   * Reads a whole object.
   *
   * @param duplicates the repeated keys of the document
   * @throws DecodeException when a field has a value of the wrong type
   */
  static <T> T read(
      JsonObject object,
      Duplicates duplicates,
      List<String> complaints,
      Function<StrictFields, T> reader) {
    return new StrictFields(object, "", duplicates, complaints).read(reader);
  }

  private <T> T read(Function<StrictFields, T> reader) {
    for (var duplicate : duplicates.in(object)) {
      complaints.add("duplicate field " + GoText.quote(at(duplicate.key())));
    }
    var made = reader.apply(this);
    left.forEach(name -> complaints.add("unknown field " + GoText.quote(at(name))));
    return made;
  }

  private String at(String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  private @Nullable Json take(String name) {
    left.remove(name);
    var value = object.get(name);
    return value instanceof JsonNull ? null : value;
  }

  private DecodeException wrong(String where, Json value, String type) {
    return new DecodeException(
        "json: cannot unmarshal "
            + GoText.kind(value)
            + " into field "
            + where
            + " of type "
            + type);
  }

  public String text(String name) {
    var text = optionalText(name);
    return text == null ? "" : text;
  }

  public @Nullable String optionalText(String name) {
    return switch (take(name)) {
      case null -> null;
      case JsonString text -> text.value();
      case Json other -> throw wrong(at(name), other, "string");
    };
  }

  /** A 32-bit number, or null when the field is missing. */
  public @Nullable Long number(String name) {
    var value = take(name);
    if (value == null) {
      return null;
    }
    if (value instanceof JsonNumber) {
      try {
        return (long) Integer.parseInt(value.toString());
      } catch (NumberFormatException e) {
        throw wrong(at(name), value, "int32");
      }
    }
    throw wrong(at(name), value, "int32");
  }

  public boolean bool(String name) {
    return switch (take(name)) {
      case null -> false;
      case JsonBool bool -> bool.value();
      case Json other -> throw wrong(at(name), other, "bool");
    };
  }

  public List<String> texts(String name) {
    var texts = new ArrayList<String>();
    var items = items(name);
    for (int i = 0; i < items.size(); i++) {
      if (!(items.get(i) instanceof JsonString text)) {
        throw wrong(at(name) + "[" + i + "]", items.get(i), "string");
      }
      texts.add(text.value());
    }
    return texts;
  }

  private JsonArray items(String name) {
    return switch (take(name)) {
      case null -> JsonArray.EMPTY;
      case JsonArray array -> array;
      case Json other -> throw wrong(at(name), other, "slice");
    };
  }

  /** The object in that field; an empty one when the field is missing. */
  public <T> T object(String name, Function<StrictFields, T> reader) {
    var found = take(name);
    return inner(found == null ? JsonObject.EMPTY : found, at(name)).read(reader);
  }

  /** The object in that field, or null when the field is missing. */
  public <T> @Nullable T optionalObject(String name, Function<StrictFields, T> reader) {
    var found = take(name);
    return found == null ? null : inner(found, at(name)).read(reader);
  }

  public <T> List<T> objects(String name, Function<StrictFields, T> reader) {
    var made = new ArrayList<T>();
    var items = items(name);
    for (int i = 0; i < items.size(); i++) {
      made.add(inner(items.get(i), at(name) + "[" + i + "]").read(reader));
    }
    return made;
  }

  private StrictFields inner(Json value, String where) {
    return switch (value) {
      case JsonObject inside -> new StrictFields(inside, where, duplicates, complaints);
      case JsonNull ignored -> new StrictFields(JsonObject.EMPTY, where, duplicates, complaints);
      default -> throw wrong(where, value, "struct");
    };
  }
}
