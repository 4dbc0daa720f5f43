package dev.muster.validation.schema;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import dev.muster.model.validation.MetadataRules;
import dev.muster.model.validation.NameRule;
import dev.muster.model.validation.Names;
import dev.muster.schema.read.EmptyFields;
import dev.muster.schema.structural.StructuralSchema;
import dev.muster.wire.DecodeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Normalizes and validates the metadata of objects embedded in a custom resource. Only one thread
 * uses it, once.
 */
public final class EmbeddedObjects {
  private final boolean lenient;
  private final Consumer<String> unknown;

  /** Ends the decoding of a value. */
  private static final class MalformedException extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final transient FieldError error;

    MalformedException(FieldError error) {
      super(error.toString(), null, false, false);
      this.error = error;
    }
  }

  /**
   * @param lenient whether to drop unreadable values, as for stored objects
   * @param unknown receives unknown metadata fields
   */
  public EmbeddedObjects(boolean lenient, Consumer<String> unknown) {
    this.lenient = lenient;
    this.unknown = unknown;
  }

  /**
   * The value with the metadata of embedded objects in canonical form.
   *
   * @throws DecodeException when it is unreadable
   */
  public Json coerced(Json value, @Nullable StructuralSchema schema, FieldPath place) {
    try {
      return read(value, schema, place);
    } catch (MalformedException e) {
      throw new DecodeException(e.error.toString());
    }
  }

  /** Why embedded objects of a value are unreadable, or null when they are readable. */
  public static @Nullable FieldError malformed(
      Json value, StructuralSchema schema, FieldPath place) {
    try {
      new EmbeddedObjects(false, field -> {}).read(value, schema, place);
      return null;
    } catch (MalformedException e) {
      return e.error;
    }
  }

  private Json read(Json value, @Nullable StructuralSchema schema, FieldPath place) {
    if (schema == null) {
      return value;
    }
    return switch (value) {
      case JsonObject object -> members(object, schema, place);
      case JsonArray list -> {
        var result = list;
        for (int i = 0; i < list.size(); i++) {
          var item = read(list.get(i), schema.items(), place.index(i));
          result = item == list.get(i) ? result : result.with(i, item);
        }
        yield result;
      }
      default -> value;
    };
  }

  private JsonObject members(JsonObject object, StructuralSchema schema, FieldPath place) {
    var result = schema.isEmbedded() ? embedded(object, place) : object;
    for (int i = 0; i < object.size(); i++) {
      var name = object.key(i);
      if (!result.has(name)) {
        continue;
      }
      var property = schema.properties().get(name);
      var below = property == null ? place.key(name) : place.child(name);
      var value = result.get(name);
      if (value != null) {
        var now = read(value, property == null ? schema.additional() : property, below);
        result = result.with(name, now);
      }
    }
    return result;
  }

  private JsonObject embedded(JsonObject object, FieldPath place) {
    var result = object;
    for (var name : List.of("apiVersion", "kind")) {
      var value = object.get(name);
      if (value != null && !(value instanceof JsonString)) {
        if (!lenient) {
          throw new MalformedException(
              FieldError.invalid(place.child(name), value, "must be a string"));
        }
        result = result.without(name);
      }
    }
    var metadata = object.get("metadata");
    return metadata == null ? result : result.with("metadata", metadata(metadata, place));
  }

  private Json metadata(Json metadata, FieldPath place) {
    var at = place.child("metadata");
    try {
      var read =
          SentMetadata.read(
              metadata, EmptyFields.NONE, lenient, field -> unknown.accept(at + "." + field));
      var created = read.get("creationTimestamp");
      return created == JsonNull.NULL ? read.without("creationTimestamp") : read;
    } catch (DecodeException e) {
      if (lenient) {
        return metadata;
      }
      throw new MalformedException(FieldError.invalid(at, metadata, e.text()));
    }
  }

  /** Validates the embedded objects of a value. */
  public static void check(
      Json value, @Nullable StructuralSchema schema, FieldPath place, List<FieldError> errors) {
    if (schema == null) {
      return;
    }
    switch (value) {
      case JsonObject object -> {
        if (schema.isEmbedded()) {
          object(object, place, errors);
        }
        for (int i = 0; i < object.size(); i++) {
          var name = object.key(i);
          var property = schema.properties().get(name);
          if (property != null) {
            check(object.value(i), property, place.child(name), errors);
          } else {
            check(object.value(i), schema.additional(), place.key(name), errors);
          }
        }
      }
      case JsonArray list -> {
        for (int i = 0; i < list.size(); i++) {
          check(list.get(i), schema.items(), place.index(i), errors);
        }
      }
      default -> {}
    }
  }

  private static void object(JsonObject object, FieldPath place, List<FieldError> errors) {
    for (var name : List.of("apiVersion", "kind")) {
      if (!object.has(name)) {
        errors.add(FieldError.required(place.child(name), ""));
      }
    }
    var apiVersion = object.get("apiVersion");
    if (apiVersion != null) {
      var at = place.child("apiVersion");
      if (!(apiVersion instanceof JsonString text)) {
        errors.add(FieldError.invalid(at, apiVersion, "must be a string"));
      } else if (text.value().isEmpty()) {
        errors.add(FieldError.invalid(at, apiVersion, "must not be empty"));
      } else if (text.value().chars().filter(c -> c == '/').count() > 1) {
        errors.add(
            FieldError.invalid(at, apiVersion, "unexpected GroupVersion string: " + text.value()));
      }
    }
    var kind = object.get("kind");
    if (kind != null) {
      kind(kind, place.child("kind"), errors);
    }
    var metadata = object.get("metadata");
    if (metadata != null) {
      metadata(metadata, place.child("metadata"), errors);
    }
  }

  private static void kind(Json kind, FieldPath place, List<FieldError> errors) {
    if (!(kind instanceof JsonString text)) {
      errors.add(FieldError.invalid(place, kind, "must be a string"));
    } else if (text.value().isEmpty()) {
      errors.add(FieldError.invalid(place, kind, "must not be empty"));
    } else {
      var problems = Names.dns1035Label(text.value().toLowerCase(Locale.ROOT));
      if (!problems.isEmpty()) {
        errors.add(
            FieldError.invalid(
                place,
                kind,
                "may have mixed case, but should otherwise match: " + String.join(",", problems)));
      }
    }
  }

  private static void metadata(Json metadata, FieldPath place, List<FieldError> errors) {
    JsonObject read;
    try {
      read = SentMetadata.read(metadata, EmptyFields.NONE, false, field -> {});
    } catch (DecodeException e) {
      errors.add(FieldError.invalid(place, metadata, e.text()));
      return;
    }
    var named = read.string("name").isEmpty() ? read.with("name", "fakename") : read;
    var found = new ArrayList<FieldError>();
    MetadataRules.create(
        named, !named.string("namespace").isEmpty(), NameRule.PATH_SEGMENT, place, found);
    MetadataRules.contents(named, place, found);
    errors.addAll(found);
  }
}
