package dev.muster.schema;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;

/** What Go's encoder writes for values that were never set. */
final class Zeros {
  private Zeros() {}

  static Json of(Shape shape) {
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

  /** Upstream's store does not tell no bytes under a key from none. */
  static Json inMap(Shape shape) {
    return shape == Scalar.BYTES ? Json.of("") : of(shape);
  }

  static JsonObject of(StructShape struct) {
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
