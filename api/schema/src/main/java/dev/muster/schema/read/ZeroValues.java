package dev.muster.schema.read;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.schema.ListShape;
import dev.muster.schema.MapShape;
import dev.muster.schema.Scalar;
import dev.muster.schema.Shape;
import dev.muster.schema.StructShape;

/** The values that Go's encoder writes for unset fields. */
public final class ZeroValues {
  private ZeroValues() {}

  public static Json of(Shape shape) {
    return switch (shape) {
      case StructShape struct -> of(struct);
      case Scalar scalar -> {
        var zero = ScalarReader.zero(scalar);
        yield zero == null ? JsonNull.NULL : zero;
      }
      case ListShape ignored -> JsonNull.NULL;
      case MapShape ignored -> JsonNull.NULL;
    };
  }

  /** In a map, upstream's store does not distinguish absent bytes from empty ones. */
  public static Json inMap(Shape shape) {
    return shape == Scalar.BYTES ? Json.of("") : of(shape);
  }

  public static JsonObject of(StructShape struct) {
    var known = struct.zero();
    if (known == null) {
      var zero = JsonObject.builder();
      for (var field : struct.fields()) {
        switch (field.whenEmpty()) {
          case ZERO -> zero.append(field.name(), of(field.shape()));
          case NULL -> zero.append(field.name(), JsonNull.NULL);
          case OMIT, KEEP -> {}
        }
      }
      known = zero.build();
      struct.zero(known);
    }
    return known;
  }
}
