package dev.muster.schema.generator;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import dev.muster.schema.generator.FoundTypes.Shape;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The shapes of fields, from protobuf's types or, where there are none, from the model's. */
final class Shapes {
  private static final Map<String, String> SPECIAL =
      Map.ofEntries(
          Map.entry("Time", "TIME"),
          Map.entry("MicroTime", "MICRO_TIME"),
          Map.entry("Timestamp", ""),
          Map.entry("Duration", "DURATION"),
          Map.entry("Quantity", "QUANTITY"),
          Map.entry("IntOrString", "INT_OR_STRING"),
          Map.entry("RawExtension", "ANY"),
          Map.entry("JSON", "ANY"),
          Map.entry("FieldsV1", "FIELDS_V1"),
          Map.entry("JSONSchemaPropsOrArray", "SCHEMA_OR_ARRAY"),
          Map.entry("JSONSchemaPropsOrBool", "SCHEMA_OR_BOOL"),
          Map.entry("JSONSchemaPropsOrStringArray", "SCHEMA_OR_STRINGS"));

  /** Messages that stand for a list, because protobuf has no lists of lists or maps of lists. */
  private static final Set<String> WRAPPERS = Set.of("ExtraValue", "Verbs");

  private Shapes() {}

  /** Whether a message is not a struct in JSON. */
  static boolean isSpecial(Descriptor message) {
    return SPECIAL.containsKey(message.getName()) || WRAPPERS.contains(message.getName());
  }

  static Shape of(FieldDescriptor field, Marks marks) {
    if (field.isMapField()) {
      var value = field.getMessageType().findFieldByNumber(2);
      return new Shape.Mapping(single(value, marks), marks.has("atomic"));
    }
    if (field.isRepeated()) {
      return new Shape.Listing(single(field, marks), marks.listType(), marks.keys(), false);
    }
    return single(field, marks);
  }

  private static Shape single(FieldDescriptor field, Marks marks) {
    return switch (field.getType()) {
      case STRING -> new Shape.Scalar("STRING");
      case BOOL -> new Shape.Scalar("BOOLEAN");
      case INT32 -> new Shape.Scalar("INT32");
      case INT64 -> new Shape.Scalar("INT64");
      case DOUBLE -> new Shape.Scalar("DOUBLE");
      case BYTES -> new Shape.Scalar("BYTES");
      case MESSAGE -> message(field.getMessageType(), marks);
      default -> throw new IllegalStateException(field + ": " + field.getType());
    };
  }

  private static Shape message(Descriptor message, Marks marks) {
    if (WRAPPERS.contains(message.getName())) {
      var items = single(message.findFieldByNumber(1), marks);
      return new Shape.Listing(items, marks.listType(), marks.keys(), true);
    }
    var scalar = SPECIAL.get(message.getName());
    return scalar != null
        ? new Shape.Scalar(scalar)
        : new Shape.Ref(ProtoTypes.definition(message), marks.has("granular"));
  }

  /** The shape of a model's property; a struct is taken to be of the owner's package or of meta. */
  static Shape of(String owner, Type type, Marks marks) {
    if (type instanceof ParameterizedType generic) {
      var arguments = generic.getActualTypeArguments();
      return generic.getRawType() == List.class
          ? new Shape.Listing(of(owner, arguments[0], marks), marks.listType(), marks.keys(), false)
          : new Shape.Mapping(of(owner, arguments[1], marks), marks.has("atomic"));
    }
    if (type == String.class) {
      return new Shape.Scalar("STRING");
    } else if (type == Boolean.class) {
      return new Shape.Scalar("BOOLEAN");
    } else if (type == Integer.class) {
      return new Shape.Scalar("INT32");
    } else if (type == Long.class) {
      return new Shape.Scalar("INT64");
    } else if (type == byte[].class) {
      return new Shape.Scalar("BYTES");
    } else if (type == OffsetDateTime.class) {
      return new Shape.Scalar("TIME");
    }
    var name = ((Class<?>) type).getSimpleName().replaceFirst("^(Apiregistration)?V1", "");
    var meta = Set.of("ObjectMeta", "ListMeta").contains(name);
    return new Shape.Ref(
        (meta ? "io.k8s.apimachinery.pkg.apis.meta.v1" : owner.substring(0, owner.lastIndexOf('.')))
            + "."
            + name,
        false);
  }
}
