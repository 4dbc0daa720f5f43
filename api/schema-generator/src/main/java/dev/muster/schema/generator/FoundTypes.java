package dev.muster.schema.generator;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the generator finds out about types, before it is written. */
final class FoundTypes {
  private FoundTypes() {}

  /** A struct. */
  record Struct(
      String name, boolean atomic, boolean kind, String description, List<Field> fields) {}

  /** What stands in a field. The names of scalars are those of the runtime's enum. */
  sealed interface Shape {
    record Scalar(String name) implements Shape {}

    record Ref(String definition, boolean granular) implements Shape {}

    /**
     * @param wrapped whether protobuf wraps it in a message of its own
     */
    record Listing(Shape items, String type, List<String> keys, boolean wrapped) implements Shape {}

    record Mapping(Shape values, boolean atomic) implements Shape {}
  }

  /** When an encoder leaves a field out. The names are those of the runtime's enum. */
  enum WhenEmpty {
    OMIT,
    ZERO,
    NULL,
    KEEP
  }

  /** A message of protobuf that holds a field which JSON shows one level up. */
  record Embedded(int number, String name) {}

  /** A field of a struct. */
  record Field(
      String name,
      int number,
      Shape shape,
      boolean required,
      WhenEmpty whenEmpty,
      @Nullable String defaultValue,
      Patch patch,
      List<Embedded> within,
      String goType,
      String description) {}

  /** How a strategic merge patch treats a field. */
  record Patch(boolean merge, boolean replace, boolean retainKeys, String mergeKey) {
    boolean isNone() {
      return !merge && !replace && !retainKeys && mergeKey.isEmpty();
    }
  }
}
