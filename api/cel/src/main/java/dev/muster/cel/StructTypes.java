package dev.muster.cel;

import com.google.common.collect.ImmutableSet;
import dev.cel.checker.TypeProvider;
import dev.cel.common.types.CelProtoTypes;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructTypeReference;
import dev.cel.common.types.TypeType;
import dev.cel.expr.Type;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The structs that expressions can name: those with known fields, and those below a name with
 * unknown fields, such as {@code Object.spec.template}.
 *
 * <p>The interface is deprecated, but its replacement has no structs with unknown fields.
 *
 * @param known the types of fields by struct name; the field {@code ""} stands for all fields that
 *     the map lacks
 * @param open the name of the struct with unknown fields, or ""
 */
@SuppressWarnings("deprecation")
public record StructTypes(Map<String, Map<String, CelType>> known, String open)
    implements TypeProvider {
  static final StructTypes NONE = new StructTypes(Map.of(), "");

  /** A struct as the type of a variable or field. */
  public static CelType of(String name) {
    return StructTypeReference.create(name);
  }

  private boolean isOpen(String name) {
    return !open.isEmpty() && (name.equals(open) || name.startsWith(open + "."));
  }

  @Override
  public @Nullable Type lookupType(String name) {
    return lookupCelType(name).map(CelProtoTypes::celTypeToType).orElse(null);
  }

  @Override
  public Optional<CelType> lookupCelType(String name) {
    return known.containsKey(name) || isOpen(name)
        ? Optional.of(TypeType.create(of(name)))
        : Optional.empty();
  }

  @Override
  public @Nullable Integer lookupEnumValue(String name) {
    return null;
  }

  @Override
  public @Nullable FieldType lookupFieldType(Type type, String field) {
    var name = type.getMessageType();
    if (isOpen(name)) {
      return FieldType.of(CelProtoTypes.celTypeToType(SimpleType.DYN));
    }
    var fields = known.get(name);
    var found = fields == null ? null : fields.getOrDefault(field, fields.get(""));
    return found == null ? null : FieldType.of(CelProtoTypes.celTypeToType(found));
  }

  @Override
  public ImmutableSet<String> lookupFieldNames(Type type) {
    var fields = known.get(type.getMessageType());
    return fields == null ? ImmutableSet.of() : ImmutableSet.copyOf(fields.keySet());
  }
}
