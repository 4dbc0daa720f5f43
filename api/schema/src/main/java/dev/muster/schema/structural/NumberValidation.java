package dev.muster.schema.structural;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonInteger;
import dev.muster.model.json.JsonNumber;

/**
 * Checks numbers against the bounds of a schema. For an integer, the bounds are cut to integers.
 */
final class NumberValidation {
  private NumberValidation() {}

  static void check(JsonNumber number, StructuralSchema schema, String name, Findings found) {
    range(number, schema, name, found);
    var bounds = schema.bounds();
    if (bounds.factor() != null && !isMultiple(number, bounds.factor())) {
      found.invalid(name, number, "should be a multiple of " + shown(number, bounds.factor()));
    }
    if (bounds.minimum() != null) {
      boolean open = bounds.aboveMinimum();
      int order = compare(number, bounds.minimum());
      if (order < 0 || (open && order == 0)) {
        found.invalid(
            name,
            number,
            "should be greater than "
                + (open ? "" : "or equal to ")
                + shown(number, bounds.minimum()));
      }
    }
    if (bounds.maximum() != null) {
      boolean open = bounds.belowMaximum();
      int order = compare(number, bounds.maximum());
      if (order > 0 || (open && order == 0)) {
        found.invalid(
            name,
            number,
            "should be less than "
                + (open ? "" : "or equal to ")
                + shown(number, bounds.maximum()));
      }
    }
    found.passed++;
  }

  private static void range(
      JsonNumber number, StructuralSchema schema, String name, Findings found) {
    double value = number.doubleValue();
    var format = schema.format();
    if (!schema.type().equals("integer")) {
      boolean single = format.equals("float") || format.equals("float32");
      if (single && Float.isInfinite((float) value)) {
        found.whole("Checked value must be of type number with format " + format + " in " + name);
      }
      return;
    }
    boolean small = format.equals("int32");
    boolean whole = number instanceof JsonInteger || value == Math.rint(value);
    boolean fits =
        whole
            && (small
                ? value >= Integer.MIN_VALUE && value <= Integer.MAX_VALUE
                : number instanceof JsonInteger || Math.abs(value) < 0x1p63);
    if (!fits) {
      found.whole(
          "Checked value must be of type integer "
              + (format.isEmpty() ? "(default format)" : "with format " + format)
              + " in "
              + name);
    }
  }

  private static int compare(JsonNumber number, JsonNumber bound) {
    return number instanceof JsonInteger integer
        ? Long.compare(integer.value(), (long) bound.doubleValue())
        : Double.compare(number.doubleValue(), bound.doubleValue());
  }

  private static boolean isMultiple(JsonNumber number, JsonNumber factor) {
    if (number instanceof JsonInteger integer && (long) factor.doubleValue() > 0) {
      return integer.value() % (long) factor.doubleValue() == 0;
    }
    double quotient = number.doubleValue() / factor.doubleValue();
    return Math.abs(quotient - Math.rint(quotient)) < 1e-9 * Math.max(1, Math.abs(quotient));
  }

  private static Json shown(JsonNumber number, JsonNumber bound) {
    return number instanceof JsonInteger ? Json.of((long) bound.doubleValue()) : bound;
  }
}
