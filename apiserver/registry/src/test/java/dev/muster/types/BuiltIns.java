package dev.muster.types;

import dev.muster.registry.builtin.BuiltInTypes;
import dev.muster.replica.object.ObjectDecoder;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;

/** The built-in types, for tests that ask one of them something. */
public final class BuiltIns {
  public static final Types TYPES = Types.of(BuiltInTypes.all());

  private BuiltIns() {}

  /** All of them, with objects that are read in a given way. */
  public static Types readBy(Function<String, ObjectDecoder> readers) {
    return Types.of(BuiltInTypes.all(Duration.ofHours(1), type -> true, readers));
  }

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
