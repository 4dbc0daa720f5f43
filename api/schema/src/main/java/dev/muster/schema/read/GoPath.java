package dev.muster.schema.read;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.schema.Field;
import dev.muster.schema.ListShape;
import dev.muster.schema.MapShape;
import dev.muster.schema.Scalar;
import dev.muster.schema.Shape;
import dev.muster.schema.StructShape;
import dev.muster.wire.DecodeException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The position of a reader in an object, for the messages of Go's decoder. Without a message, a
 * step costs only two array writes. Only one reader uses it.
 */
final class GoPath {
  private static final int USUAL_DEPTH = 8;

  private @Nullable Field[] fields = new Field[USUAL_DEPTH];
  private @Nullable StructShape[] owners = new StructShape[USUAL_DEPTH];
  private @Nullable String[] keys = new String[USUAL_DEPTH];
  private int[] indexes = new int[USUAL_DEPTH];
  private int depth;
  private final StructShape root;

  GoPath(StructShape root) {
    this.root = root;
  }

  private void grow() {
    if (depth == indexes.length) {
      fields = Arrays.copyOf(fields, depth * 2);
      owners = Arrays.copyOf(owners, depth * 2);
      keys = Arrays.copyOf(keys, depth * 2);
      indexes = Arrays.copyOf(indexes, depth * 2);
    }
  }

  void enter(StructShape owner, Field field) {
    grow();
    fields[depth] = field;
    owners[depth++] = owner;
  }

  void enter(String key) {
    grow();
    fields[depth] = null;
    keys[depth++] = key;
  }

  void enter(int index) {
    grow();
    fields[depth] = null;
    keys[depth] = null;
    indexes[depth++] = index;
  }

  void leave() {
    depth--;
  }

  /** The path to a field of the current struct. */
  String to(String name) {
    var out = new StringBuilder();
    for (int i = 0; i < depth; i++) {
      var field = fields[i];
      var key = field != null ? field.name() : keys[i];
      if (key == null) {
        out.append('[').append(indexes[i]).append(']');
      } else {
        out.append(i == 0 ? "" : ".").append(key);
      }
    }
    return out.append(depth == 0 ? "" : ".").append(name).toString();
  }

  /** The error for a value of the wrong JSON type at the current position. */
  DecodeException mismatch(Json value) {
    return mismatch(GoText.kind(value), typeHere());
  }

  DecodeException mismatch(String value, String type) {
    var context = new StringBuilder();
    StructShape owner = null;
    for (int i = 0; i < depth; i++) {
      var field = fields[i];
      if (field != null) {
        owner = owners[i];
        field.go().within().forEach(embedded -> context.append('.').append(embedded.name()));
        context.append('.').append(field.name());
      }
    }
    return new DecodeException(
        owner == null
            ? "json: cannot unmarshal " + value + " into Go value of type " + type
            : "json: cannot unmarshal "
                + value
                + " into Go struct field "
                + owner.simpleName()
                + context
                + " of type "
                + type);
  }

  /** The Go type at the current position. */
  String typeHere() {
    int at = depth - 1;
    while (at >= 0 && fields[at] == null) {
      at--;
    }
    var field = at < 0 ? null : fields[at];
    if (field == null) {
      return type(root);
    }
    var shape = field.shape();
    var type = field.go().type().isEmpty() ? type(shape) : field.go().type();
    for (int level = at + 1; level < depth; level++) {
      var inner = member(shape);
      type =
          type.startsWith("[]")
              ? type.substring(2)
              : type.startsWith("map[") ? type.substring(type.indexOf(']') + 1) : type(inner);
      shape = inner;
    }
    return type;
  }

  private static Shape member(Shape shape) {
    return switch (shape) {
      case ListShape list -> list.items();
      case MapShape map -> map.values();
      case StructShape struct -> struct;
      case Scalar scalar -> scalar;
    };
  }

  private static String type(Shape shape) {
    return switch (shape) {
      case ListShape list -> "[]" + type(list.items());
      case MapShape map -> "map[string]" + type(map.values());
      case StructShape struct -> {
        var name = struct.name();
        int end = name.lastIndexOf('.');
        yield name.substring(name.lastIndexOf('.', end - 1) + 1);
      }
      case Scalar scalar ->
          switch (scalar) {
            case STRING -> "string";
            case BOOLEAN -> "bool";
            case INT32 -> "int32";
            case INT64 -> "int64";
            case DOUBLE -> "float64";
            case BYTES -> "[]uint8";
            case TIME -> "v1.Time";
            case MICRO_TIME -> "v1.MicroTime";
            case DURATION -> "v1.Duration";
            case QUANTITY -> "resource.Quantity";
            case INT_OR_STRING -> "intstr.IntOrString";
            case ANY -> "runtime.RawExtension";
            case FIELDS_V1 -> "v1.FieldsV1";
            case SCHEMA_OR_ARRAY -> "v1.JSONSchemaPropsOrArray";
            case SCHEMA_OR_BOOL -> "v1.JSONSchemaPropsOrBool";
            case SCHEMA_OR_STRINGS -> "v1.JSONSchemaPropsOrStringArray";
          };
    };
  }
}
