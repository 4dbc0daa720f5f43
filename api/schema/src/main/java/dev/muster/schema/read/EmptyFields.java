package dev.muster.schema.read;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.schema.Field;
import dev.muster.schema.ListShape;
import dev.muster.schema.MapShape;
import dev.muster.schema.Scalar;
import dev.muster.schema.Shape;
import dev.muster.schema.StructShape;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a kind in which an empty list or map differs from an absent one. kube-apiserver
 * distinguishes them where Go code tells an empty slice from nil: to refuse the field, to return
 * it, or to detect a change.
 *
 * <p>{@link ObjectForm#read} keeps such empty fields for validation and admission; {@link
 * ObjectForm#normal} omits them in the stored form. Paths pass through lists and maps: {@code
 * volumes.secret} is a field of every volume. Immutable.
 */
public final class EmptyFields {
  public static final EmptyFields NONE = new EmptyFields(Set.of(), Map.of(), null);

  /** All fields at any depth. */
  public static final EmptyFields ALL = new EmptyFields();

  private final boolean all;
  private final Set<String> names;
  private final Map<String, EmptyFields> inside;

  /** The fields below fields that {@code inside} does not name. */
  private final EmptyFields elsewhere;

  private EmptyFields(
      Set<String> names, Map<String, EmptyFields> inside, @Nullable EmptyFields elsewhere) {
    this.all = false;
    this.names = names;
    this.inside = inside;
    this.elsewhere = elsewhere == null ? this : elsewhere;
  }

  private EmptyFields() {
    this.all = true;
    this.names = Set.of();
    this.inside = Map.of();
    this.elsewhere = this;
  }

  /** The fields at these paths, such as {@code spec.capacity}. */
  public static EmptyFields at(String... paths) {
    var fields = NONE;
    for (var path : paths) {
      int dot = path.lastIndexOf('.');
      var field = new EmptyFields(Set.of(path.substring(dot + 1)), Map.of(), NONE);
      fields = fields.and(dot < 0 ? field : field.under(path.substring(0, dot)));
    }
    return fields;
  }

  /** The field of that name in every struct at any depth. */
  public static EmptyFields everywhere(String name) {
    return new EmptyFields(Set.of(name), Map.of(), null);
  }

  /** The same fields below that path. */
  public EmptyFields under(String path) {
    var fields = this;
    for (var step : List.of(path.split("\\.")).reversed()) {
      fields = new EmptyFields(Set.of(), Map.of(step, fields), NONE);
    }
    return fields;
  }

  /** These fields and others. */
  public EmptyFields and(EmptyFields other) {
    if (this == NONE || other == ALL) {
      return other;
    }
    if (other == NONE || this == ALL) {
      return this;
    }
    var both = new HashMap<String, EmptyFields>();
    Stream.concat(inside.keySet().stream(), other.inside.keySet().stream())
        .forEach(name -> both.put(name, in(name).and(other.in(name))));
    var either =
        Stream.concat(names.stream(), other.names.stream()).collect(Collectors.toUnmodifiableSet());
    boolean isSelf = elsewhere == this && other.elsewhere == other;
    return new EmptyFields(
        either, Map.copyOf(both), isSelf ? null : elsewhere.and(other.elsewhere));
  }

  /** Whether a field of that name is included. */
  boolean has(String name) {
    return all || names.contains(name);
  }

  /** The fields below the field of that name. */
  EmptyFields in(String name) {
    return inside.isEmpty() ? elsewhere : inside.getOrDefault(name, elsewhere);
  }

  /** Whether that field keeps an empty value. */
  boolean keeps(Field field, Json value) {
    return has(field.name())
        && (field.shape() instanceof ListShape || field.shape() instanceof MapShape)
        && isEmpty(value);
  }

  /**
   * The object without empty values in these fields: in canonical form if it was so apart from
   * them. The same instance when no field is empty.
   */
  public JsonObject dropped(StructShape shape, JsonObject object) {
    if (this == NONE) {
      return object;
    }
    var without = object;
    for (int i = 0; i < object.size(); i++) {
      var name = object.key(i);
      var field = shape.field(name);
      if (field == null) {
        continue;
      }
      var value = object.value(i);
      if (!keeps(field, value)) {
        var now = in(name).dropped(field.shape(), value);
        without = now == value ? without : without.with(name, now);
      } else if (field.whenEmpty() == Field.WhenEmpty.NULL) {
        without = without.with(name, JsonNull.NULL);
      } else {
        without = without.without(name);
      }
    }
    return without;
  }

  private Json dropped(Shape shape, Json value) {
    if (this == NONE) {
      return value;
    }
    return switch (shape) {
      case StructShape struct when value instanceof JsonObject object -> dropped(struct, object);
      case ListShape list when value instanceof JsonArray array ->
          array.map(item -> dropped(list.items(), item));
      case MapShape map when value instanceof JsonObject object ->
          object.mapValues((key, item) -> dropped(map.values(), item));
      case Scalar scalar when scalar.isSchema() -> schema(value);
      case StructShape ignored -> value;
      case ListShape ignored -> value;
      case MapShape ignored -> value;
      case Scalar ignored -> value;
    };
  }

  private Json schema(Json value) {
    return switch (value) {
      case JsonObject object -> dropped(TypedReader.schema(), object);
      case JsonArray array -> array.map(this::schema);
      default -> value;
    };
  }

  private static boolean isEmpty(Json value) {
    return switch (value) {
      case JsonArray list -> list.isEmpty();
      case JsonObject map -> map.isEmpty();
      default -> false;
    };
  }
}
