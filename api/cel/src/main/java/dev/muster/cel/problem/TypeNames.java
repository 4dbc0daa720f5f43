package dev.muster.cel.problem;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.TypeType;
import java.util.stream.Collectors;

/** Prints type names such as {@code list(int)}. */
public final class TypeNames {
  private TypeNames() {}

  /** The name in error messages, where some types have other names. */
  static String inProblem(CelType type) {
    return of(type)
        .replace("null_type", "null")
        .replace("google.protobuf.Timestamp", "timestamp")
        .replace("google.protobuf.Duration", "duration");
  }

  public static String of(CelType type) {
    return switch (type) {
      case ListType list -> "list(" + of(list.elemType()) + ")";
      case MapType map -> "map(" + of(map.keyType()) + ", " + of(map.valueType()) + ")";
      case OptionalType optional ->
          "optional_type("
              + optional.parameters().stream().map(TypeNames::of).collect(Collectors.joining(", "))
              + ")";
      case TypeType known -> "type(" + of(known.type()) + ")";
      default -> type.name();
    };
  }
}
