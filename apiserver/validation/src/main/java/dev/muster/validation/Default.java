package dev.muster.validation;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonInteger;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A default for fields that a client left out. Defaults are idempotent, and return the same
 * instance when nothing is missing.
 */
public sealed interface Default {
  JsonObject apply(JsonObject object);

  /** A value for a field that is absent, null or an empty string. */
  record Value(String field, Json value) implements Default {
    @Override
    public JsonObject apply(JsonObject object) {
      return isUnset(object.get(field)) ? object.with(field, value) : object;
    }
  }

  /** A value for a field that is absent or null. */
  record Absent(String field, Json value) implements Default {
    @Override
    public JsonObject apply(JsonObject object) {
      var now = object.get(field);
      return now == null || now == JsonNull.NULL ? object.with(field, value) : object;
    }
  }

  /** A value for a number that is absent or 0, for Go types that cannot tell the two apart. */
  record NonZero(String field, long value) implements Default {
    @Override
    public JsonObject apply(JsonObject object) {
      var now = object.get(field);
      boolean zero = now instanceof JsonInteger number && number.value() == 0;
      return zero || isUnset(now) ? object.with(field, value) : object;
    }
  }

  /** A value computed from the rest of the struct, for an unset field; null sets nothing. */
  record Computed(String field, Function<JsonObject, @Nullable Json> value) implements Default {
    @Override
    public JsonObject apply(JsonObject object) {
      if (!isUnset(object.get(field))) {
        return object;
      }
      var found = value.apply(object);
      return found == null ? object : object.with(field, found);
    }
  }

  /** Applies defaults to a struct if it is present, or creates it first. */
  record Inside(String field, boolean make, Default inner) implements Default {
    @Override
    public JsonObject apply(JsonObject object) {
      var now = object.get(field);
      if (now instanceof JsonObject struct) {
        var filled = inner.apply(struct);
        return filled == struct ? object : object.with(field, filled);
      }
      return make && isUnset(now) ? object.with(field, inner.apply(JsonObject.EMPTY)) : object;
    }
  }

  /** Applies defaults to each struct of a list. */
  record Each(String field, Default inner) implements Default {
    @Override
    public JsonObject apply(JsonObject object) {
      if (!(object.get(field) instanceof JsonArray array)) {
        return object;
      }
      var filled =
          array.map(item -> item instanceof JsonObject struct ? inner.apply(struct) : item);
      return filled == array ? object : object.with(field, filled);
    }
  }

  /** Applies defaults to structs that meet a condition. */
  record When(Predicate<JsonObject> condition, Default inner) implements Default {
    @Override
    public JsonObject apply(JsonObject object) {
      return condition.test(object) ? inner.apply(object) : object;
    }
  }

  /** Applies several defaults in order. */
  record All(List<Default> parts) implements Default {
    public All {
      parts = List.copyOf(parts);
    }

    @Override
    public JsonObject apply(JsonObject object) {
      var filled = object;
      for (var part : parts) {
        filled = part.apply(filled);
      }
      return filled;
    }
  }

  /** A default written as code, where the other forms do not suffice. */
  record Code(UnaryOperator<JsonObject> change) implements Default {
    @Override
    public JsonObject apply(JsonObject object) {
      return change.apply(object);
    }
  }

  Default NONE = new All(List.of());

  static Default value(String field, String value) {
    return new Value(field, Json.of(value));
  }

  static Default value(String field, long value) {
    return new Value(field, Json.of(value));
  }

  static Default value(String field, boolean value) {
    return new Value(field, Json.of(value));
  }

  static Default value(String field, Json value) {
    return new Value(field, value);
  }

  /** A value for an absent field; an empty string counts as present. */
  static Default absent(String field, String value) {
    return new Absent(field, Json.of(value));
  }

  /** A value for a field that is absent or null. */
  static Default absent(String field, Json value) {
    return new Absent(field, value);
  }

  static Default nonZero(String field, long value) {
    return new NonZero(field, value);
  }

  static Default computed(String field, Function<JsonObject, @Nullable Json> value) {
    return new Computed(field, value);
  }

  /** The value of another field of the same struct. */
  static Default copy(String field, String from) {
    return new Computed(field, object -> object.get(from));
  }

  /** Applies defaults to a struct if it is present. */
  static Default in(String field, Default... inner) {
    return new Inside(field, false, all(inner));
  }

  /** Applies defaults to a struct, which is created if it is absent. */
  static Default make(String field, Default... inner) {
    return new Inside(field, true, all(inner));
  }

  static Default each(String field, Default... inner) {
    return new Each(field, all(inner));
  }

  static Default when(Predicate<JsonObject> condition, Default... inner) {
    return new When(condition, all(inner));
  }

  /** Removes an empty list or map, which means the same as an absent one. */
  static Default withoutEmpty(String field) {
    return new Code(
        object -> {
          boolean isEmpty =
              switch (object.get(field)) {
                case JsonArray list -> list.isEmpty();
                case JsonObject map -> map.isEmpty();
                case null, default -> false;
              };
          return isEmpty ? object.without(field) : object;
        });
  }

  static Default all(Default... parts) {
    return parts.length == 1 ? parts[0] : new All(List.of(parts));
  }

  static Default code(UnaryOperator<JsonObject> change) {
    return new Code(change);
  }

  private static boolean isUnset(@Nullable Json value) {
    return value == null
        || value == JsonNull.NULL
        || (value instanceof JsonString string && string.value().isEmpty());
  }
}
