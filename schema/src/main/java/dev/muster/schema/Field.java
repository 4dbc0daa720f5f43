package dev.muster.schema;

import dev.muster.model.Json;
import org.jspecify.annotations.Nullable;

/**
 * A field of a struct.
 *
 * @param name the name in JSON
 * @param number the number in protobuf; 0 when the struct has no protobuf form
 * @param required whether the OpenAPI document lists it as required
 * @param whenEmpty what is written when the field has no value
 * @param defaultValue what the schema's {@code default} says, or null
 * @param patch how a strategic merge patch treats the field
 */
public record Field(
    String name,
    int number,
    Shape shape,
    boolean required,
    WhenEmpty whenEmpty,
    @Nullable Json defaultValue,
    Patch patch) {

  /** What upstream's encoder writes for a field without a value. */
  public enum WhenEmpty {
    /** Nothing. */
    OMIT,
    /** The zero value: "", 0, false, {} or, for lists, maps and times, null. */
    ZERO,
    /** A present but empty value is kept as it is, an absent one is left out (Go pointers). */
    KEEP
  }

  /** The patch strategy of a field. */
  public record Patch(boolean merge, boolean replace, boolean retainKeys, String mergeKey) {
    public static final Patch NONE = new Patch(false, false, false, "");
  }
}
