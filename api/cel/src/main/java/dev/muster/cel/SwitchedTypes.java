package dev.muster.cel;

import com.google.common.collect.ImmutableSet;
import dev.cel.checker.TypeProvider;
import dev.cel.common.types.CelProtoTypes;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.EnumType;
import dev.cel.common.types.StructType;
import dev.cel.common.types.TypeType;
import dev.cel.expr.Type;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The structs of the current expression, and those of the library. Only one thread at a time uses
 * it.
 */
@SuppressWarnings("deprecation")
final class SwitchedTypes implements TypeProvider {
  private final CelTypeProvider library;

  /** The structs of the current expression. */
  StructTypes current = StructTypes.NONE;

  /** The names of its structs that were looked up since the expression began. */
  final Set<String> found = new HashSet<>();

  SwitchedTypes(CelTypeProvider library) {
    this.library = library;
  }

  @Override
  public @Nullable Type lookupType(String name) {
    return lookupCelType(name).map(CelProtoTypes::celTypeToType).orElse(null);
  }

  @Override
  public Optional<CelType> lookupCelType(String name) {
    var struct = current.lookupCelType(name);
    if (struct.isEmpty()) {
      return library.findType(name).map(TypeType::create);
    }
    found.add(name);
    return struct;
  }

  @Override
  public @Nullable Integer lookupEnumValue(String name) {
    int dot = name.lastIndexOf('.');
    return dot > 0
            && library.findType(name.substring(0, dot)).orElse(null) instanceof EnumType values
        ? values.findNumberByName(name.substring(dot + 1)).orElse(null)
        : null;
  }

  private @Nullable StructType struct(Type type) {
    return library.findType(type.getMessageType()).orElse(null) instanceof StructType struct
        ? struct
        : null;
  }

  @Override
  public @Nullable FieldType lookupFieldType(Type type, String field) {
    var found = current.lookupFieldType(type, field);
    var struct = found == null ? struct(type) : null;
    return struct == null
        ? found
        : struct
            .findField(field)
            .map(known -> FieldType.of(CelProtoTypes.celTypeToType(known.type())))
            .orElse(null);
  }

  @Override
  public ImmutableSet<String> lookupFieldNames(Type type) {
    var found = current.lookupFieldNames(type);
    var struct = found.isEmpty() ? struct(type) : null;
    return struct == null ? found : struct.fieldNames();
  }
}
