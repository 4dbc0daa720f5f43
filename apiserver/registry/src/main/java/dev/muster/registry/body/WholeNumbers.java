package dev.muster.registry.body;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonDecimal;
import dev.muster.model.json.JsonInteger;
import dev.muster.model.json.JsonObject;

/**
 * Converts numbers such as {@code 2.0} or {@code 1e3} to integers, as upstream does for trees but
 * not for text.
 */
final class WholeNumbers {
  /** The largest power of two up to which a double represents every integer exactly. */
  private static final double MOST = 1L << 53;

  private WholeNumbers() {}

  /** The value with all such numbers as integers. */
  static Json in(Json value) {
    return switch (value) {
      case JsonObject object -> {
        var builder = JsonObject.builder();
        for (int i = 0; i < object.size(); i++) {
          builder.append(object.key(i), in(object.value(i)));
        }
        yield builder.build();
      }
      case JsonArray array -> array.map(WholeNumbers::in);
      case JsonDecimal number when isWhole(number.doubleValue()) ->
          new JsonInteger((long) number.doubleValue());
      case Json other -> other;
    };
  }

  private static boolean isWhole(double number) {
    return number == Math.rint(number) && Math.abs(number) <= MOST;
  }
}
