package dev.muster.schema.read;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.schema.Field;
import dev.muster.schema.ListShape;
import dev.muster.schema.MapShape;
import dev.muster.schema.Scalar;
import dev.muster.schema.Schemas;
import dev.muster.schema.Shape;
import dev.muster.schema.StructShape;
import dev.muster.wire.DecodeException;
import dev.muster.wire.Document;
import dev.muster.wire.Duplicates;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads objects like kube-apiserver, which decodes them into Go structs and encodes them again:
 *
 * <ul>
 *   <li>It drops and reports unknown fields.
 *   <li>It sorts fields in the order of the struct, and maps by key.
 *   <li>It keeps, fills in or omits nulls and empty values, field by field.
 *   <li>It converts times, quantities and base64 to canonical form.
 * </ul>
 *
 * <p>An object that is already in this form is returned as the same instance. One thread uses it
 * once.
 */
public final class TypedReader {
  private static final int MOST_COMPLAINTS = 100;
  private static final String SCHEMA_PROPS =
      "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps";

  /**
   * An object that was read.
   *
   * @param complaints the errors that strict field validation would report, such as {@code unknown
   *     field "spec.foo"}
   */
  public record Typed(JsonObject object, List<String> complaints) {}

  private final GoPath path;
  private final ScalarReader scalars;
  private final Duplicates duplicates;
  private final Set<String> complaints = new LinkedHashSet<>();
  private @Nullable DecodeException fault;

  /** The number of nested schema readers; they report no unknown or duplicate fields. */
  private int untracked;

  /** Above zero while a value is read a second time, so that nothing is reported twice. */
  private int quiet;

  /** The fields of all structs that are being read, one struct's after the other's. */
  private @Nullable Json[] slots = new Json[48];

  private int top;

  private boolean forStore;

  private TypedReader(StructShape root, Duplicates duplicates) {
    this.path = new GoPath(root);
    this.scalars = new ScalarReader(path);
    this.duplicates = duplicates;
  }

  /**
   * Reads a document as that struct.
   *
   * @throws DecodeException when a value has the wrong type, with Go's message
   */
  public static Typed read(StructShape shape, Document document) {
    return read(shape, document, null, EmptyFields.NONE);
  }

  /**
   * Reads a document that was made from an object in canonical form. Parts that both share are not
   * read again.
   *
   * @param kept fields that stay when they are empty
   * @throws DecodeException when a value has the wrong type, with Go's message
   */
  public static Typed read(
      StructShape shape, Document document, @Nullable JsonObject origin, EmptyFields kept) {
    var reader = new TypedReader(shape, document.duplicates());
    reader.complaints.addAll(document.complaints());
    var object = reader.root(shape, document.value(), origin, kept);
    return new Typed(object, List.copyOf(reader.complaints));
  }

  /**
   * The object in canonical form.
   *
   * @throws DecodeException when a value has the wrong type, with Go's message
   */
  public static JsonObject normal(StructShape shape, JsonObject object) {
    return normal(shape, object, null);
  }

  /**
   * The canonical form of an object that was made from another one in canonical form. Parts that
   * both share are not read again.
   *
   * @throws DecodeException when a value has the wrong type, with Go's message
   */
  public static JsonObject normal(
      StructShape shape, JsonObject object, @Nullable JsonObject origin) {
    return normal(shape, object, origin, EmptyFields.NONE);
  }

  /** The canonical form, but with these fields even when they are empty. */
  static JsonObject normal(
      StructShape shape, JsonObject object, @Nullable JsonObject origin, EmptyFields kept) {
    var reader = new TypedReader(shape, Duplicates.NONE);
    reader.forStore = true;
    return reader.root(shape, object, origin, kept);
  }

  private JsonObject root(
      StructShape shape, Json value, @Nullable JsonObject origin, EmptyFields kept) {
    try {
      var read = value(shape, value, origin, kept);
      if (fault != null) {
        throw fault;
      }
      return read instanceof JsonObject object ? object : ZeroValues.of(shape);
    } catch (ScalarReader.Fatal fatal) {
      throw fatal.decodeException();
    }
  }

  /**
   * The value in canonical form, or null when it counts as absent.
   *
   * @param origin the value at the same place of an object in canonical form
   * @param kept fields below the value that stay when they are empty
   */
  private @Nullable Json value(Shape shape, Json value, @Nullable Json origin, EmptyFields kept) {
    if (value == JsonNull.NULL) {
      return null;
    }
    if (value == origin) {
      return value;
    }
    try {
      return switch (shape) {
        case Scalar scalar -> scalar(scalar, value, kept);
        case StructShape struct -> {
          if (!(value instanceof JsonObject object)) {
            throw path.mismatch(value);
          }
          yield struct(struct, object, origin instanceof JsonObject before ? before : null, kept);
        }
        case ListShape list -> {
          if (!(value instanceof JsonArray array)) {
            throw path.mismatch(value);
          }
          yield list(
              list, array, origin instanceof JsonArray before ? before : JsonArray.EMPTY, kept);
        }
        case MapShape map -> {
          if (!(value instanceof JsonObject object)) {
            throw path.mismatch(value);
          }
          yield map(map, object, kept);
        }
      };
    } catch (DecodeException mismatch) {
      if (untracked > 0) {
        throw new ScalarReader.Fatal(mismatch);
      }
      if (fault == null) {
        fault = mismatch;
      }
      return null;
    }
  }

  private JsonObject struct(
      StructShape shape, JsonObject in, @Nullable JsonObject origin, EmptyFields kept) {
    int base = top;
    top += shape.size();
    if (top > slots.length) {
      slots = Arrays.copyOf(slots, Math.max(top, slots.length * 2));
    }
    var repeats = duplicates.in(in);
    int reported = 0;
    for (int i = 0; i < in.size(); i++) {
      reported = reportRepeats(shape, in, repeats, reported, i);
      var key = in.key(i);
      int position = shape.indexOf(key);
      if (position < 0) {
        complain("unknown field", key);
        continue;
      }
      var field = shape.field(position);
      var inside = kept.in(key);
      path.enter(shape, field);
      // Read the value first: reading may move the slots to a larger array.
      var read =
          repeats.isEmpty()
              ? value(
                  field.shape(),
                  in.value(i),
                  origin == null ? null : member(origin, key, i),
                  inside)
              : repeated(field, repeats, in, i, inside);
      path.leave();
      // Upstream's store does not distinguish an empty list from an absent one, except in arbitrary
      // JSON.
      boolean isNone =
          forStore
              && field.shape() instanceof ListShape
              && read instanceof JsonArray list
              && list.isEmpty()
              && !kept.has(key);
      slots[base + position] = isNone ? null : read;
    }
    reportRepeats(shape, in, repeats, reported, in.size());
    var out = StructWriter.object(shape, slots, base, in, kept);
    Arrays.fill(slots, base, base + shape.size(), null);
    top = base;
    return out;
  }

  /** The member with that key, most likely at that index. */
  private static @Nullable Json member(JsonObject object, String key, int likely) {
    return likely < object.size() && object.key(likely).equals(key)
        ? object.value(likely)
        : object.get(key);
  }

  /** Reads a field whose key is repeated: first its first value, then the merged one. */
  private @Nullable Json repeated(
      Field field, List<Duplicates.Duplicate> repeats, JsonObject in, int index, EmptyFields kept) {
    var merged = RepeatedKeys.merge(field, repeats, in.value(index));
    if (merged == in.value(index)) {
      return value(field.shape(), merged, null, kept);
    }
    value(field.shape(), RepeatedKeys.first(field, repeats), null, EmptyFields.NONE);
    quiet++;
    var read = value(field.shape(), merged, null, kept);
    quiet--;
    return read;
  }

  private int reportRepeats(
      StructShape shape,
      JsonObject in,
      List<Duplicates.Duplicate> repeats,
      int reported,
      int upTo) {
    int next = reported;
    while (next < repeats.size() && repeats.get(next).position() <= upTo) {
      var field = shape.field(repeats.get(next).key());
      if (field != null) {
        complain("duplicate field", field.name());
        path.enter(shape, field);
        value(field.shape(), RepeatedKeys.after(next, repeats, in), null, EmptyFields.NONE);
        path.leave();
      }
      next++;
    }
    return next;
  }

  private JsonArray list(ListShape shape, JsonArray in, JsonArray origin, EmptyFields kept) {
    Json[] changed = null;
    for (int i = 0; i < in.size(); i++) {
      path.enter(i);
      var read = value(shape.items(), in.get(i), i < origin.size() ? origin.get(i) : null, kept);
      var item = read != null ? read : ZeroValues.of(shape.items());
      path.leave();
      if (item != in.get(i) && changed == null) {
        changed = in.asList().toArray(new Json[0]);
      }
      if (changed != null) {
        changed[i] = item;
      }
    }
    return changed == null ? in : JsonArray.owning(changed);
  }

  private JsonObject map(MapShape shape, JsonObject in, EmptyFields kept) {
    var repeats = duplicates.in(in);
    for (var repeat : repeats) {
      complain("duplicate field", repeat.key());
    }
    Json[] changed = null;
    boolean sorted = true;
    for (int i = 0; i < in.size(); i++) {
      path.enter(in.key(i));
      var read = value(shape.values(), in.value(i), null, kept);
      var item = read != null ? read : ZeroValues.inMap(shape.values());
      path.leave();
      sorted = sorted && (i == 0 || in.key(i - 1).compareTo(in.key(i)) < 0);
      if (item != in.value(i) && changed == null) {
        changed = new Json[in.size()];
        for (int j = 0; j < in.size(); j++) {
          changed[j] = in.value(j);
        }
      }
      if (changed != null) {
        changed[i] = item;
      }
    }
    if (changed == null && sorted) {
      return in;
    }
    return sorted(in, changed);
  }

  private static JsonObject sorted(JsonObject in, Json @Nullable [] values) {
    var order = new ArrayList<Integer>(in.size());
    for (int i = 0; i < in.size(); i++) {
      order.add(i);
    }
    order.sort((a, b) -> in.key(a).compareTo(in.key(b)));
    var keys = new String[in.size()];
    var sorted = new Json[in.size()];
    for (int i = 0; i < keys.length; i++) {
      int from = order.get(i);
      keys[i] = in.key(from);
      sorted[i] = values == null ? in.value(from) : values[from];
    }
    return JsonObject.ofUnique(keys, sorted);
  }

  private @Nullable Json scalar(Scalar scalar, Json value, EmptyFields kept) {
    return switch (scalar) {
      case SCHEMA_OR_ARRAY -> schemaOr(value, value instanceof JsonArray ? schema() : null, kept);
      case SCHEMA_OR_STRINGS ->
          schemaOr(value, value instanceof JsonArray ? Scalar.STRING : null, kept);
      case SCHEMA_OR_BOOL -> {
        if (value instanceof JsonBool) {
          yield value;
        }
        if (!(value instanceof JsonObject)) {
          throw new ScalarReader.Fatal(new DecodeException("boolean or JSON schema expected"));
        }
        yield schemaOr(value, null, kept);
      }
      default -> scalars.read(scalar, value);
    };
  }

  /** A schema, or a list of that shape; like upstream, drops any other value silently. */
  private @Nullable Json schemaOr(Json value, @Nullable Shape items, EmptyFields kept) {
    untracked++;
    try {
      if (value instanceof JsonObject object) {
        return struct(schema(), object, null, kept);
      }
      return items != null && value instanceof JsonArray array && !array.isEmpty()
          ? list(
              new ListShape(items, ListShape.Kind.ATOMIC, List.of()), array, JsonArray.EMPTY, kept)
          : JsonNull.NULL;
    } finally {
      untracked--;
    }
  }

  public static StructShape schema() {
    return Schemas.struct(SCHEMA_PROPS);
  }

  private void complain(String what, String key) {
    if (untracked == 0 && quiet == 0 && complaints.size() < MOST_COMPLAINTS) {
      complaints.add(what + " " + GoText.quote(path.to(key)));
    }
  }
}
