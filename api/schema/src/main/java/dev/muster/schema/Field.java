package dev.muster.schema;

import dev.muster.model.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A field of a struct.
 *
 * @param name the name in JSON
 * @param number the number in protobuf; 0 when the struct has no protobuf form
 * @param required whether the OpenAPI document lists it as required
 * @param whenEmpty what upstream's encoder writes when the field has no value
 * @param defaultValue the schema's {@code default}, or null
 * @param patch how a strategic merge patch treats the field
 * @param go how upstream's Go struct declares the field
 */
public record Field(
    String name,
    int number,
    Shape shape,
    boolean required,
    WhenEmpty whenEmpty,
    @Nullable Json defaultValue,
    Patch patch,
    Go go) {

  /** A field without a protobuf form. */
  public Field(String name, Shape shape, boolean required, WhenEmpty whenEmpty) {
    this(name, 0, shape, required, whenEmpty, null, Patch.NONE, Go.PLAIN);
  }

  /** What upstream's encoder writes for a field without a value. */
  public enum WhenEmpty {
    /** Omits the field, whether it is absent or present and empty. */
    OMIT,
    /**
     * Writes the zero value, whether the field is absent or present: "", 0, false, or a struct
     * without values.
     */
    ZERO,
    /** Keeps a present value even when it is empty; writes null for an absent one. */
    NULL,
    /** Keeps a present value even when it is empty; omits an absent one (Go's pointers). */
    KEEP
  }

  /** The patch strategy of a field. */
  public record Patch(boolean merge, boolean replace, boolean retainKeys, String mergeKey) {
    public static final Patch NONE = new Patch(false, false, false, "");
  }

  /**
   * How upstream's Go struct declares a field, which is visible in protobuf and in messages.
   *
   * @param type the Go type where it does not follow from the shape, else ""
   * @param within the embedded structs that contain the field, outermost first; JSON does not show
   *     them
   */
  public record Go(String type, List<Embedded> within) {
    public static final Go PLAIN = new Go("", List.of());

    /** An embedded struct with its number in protobuf, or 0 if protobuf does not have it. */
    public record Embedded(int number, String name) {}

    public Go {
      within = List.copyOf(within);
    }
  }
}
