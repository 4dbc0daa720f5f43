package dev.muster.registry.types;

import dev.muster.registry.types.builtin.BuiltInTypes;
import java.util.Objects;

/** The built-in types, for tests that ask one of them something. */
public final class BuiltIns {
  public static final Types TYPES = Types.of(BuiltInTypes.all());

  private BuiltIns() {}

  /** The preferred version of a resource. */
  public static ServedType of(String group, String plural) {
    return TYPES.group(group).stream()
        .flatMap(version -> version.types().stream())
        .filter(type -> type.plural().equals(plural))
        .findFirst()
        .orElseThrow();
  }

  public static ServedType of(String group, String version, String plural) {
    return Objects.requireNonNull(TYPES.find(group, version, plural));
  }
}
