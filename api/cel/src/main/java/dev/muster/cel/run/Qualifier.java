package dev.muster.cel.run;

import dev.muster.cel.value.CelList;
import dev.muster.cel.value.CelMap;
import dev.muster.cel.value.CelUint;
import dev.muster.cel.value.CelValues;
import dev.muster.cel.value.EvaluationException;
import dev.muster.cel.value.ValueText;
import org.jspecify.annotations.Nullable;

/**
 * A step of a path: a field, a key or an index.
 *
 * @param key computes the field, key or index
 * @param isOptional whether the element may be missing
 */
record Qualifier(Step key, boolean isOptional) {

  /** The element. */
  Object of(Frame frame, Object value) {
    var wanted = key.evaluate(frame);
    frame.charge(1);
    return switch (value) {
      case CelMap map -> {
        var found = map.find(wanted);
        if (found == null) {
          throw EvaluationException.noSuchKey(wanted);
        }
        yield found;
      }
      case CelList list -> {
        long index = index(wanted);
        if (index < 0 || index >= list.size()) {
          throw new EvaluationException("index out of bounds: " + ValueText.plain(wanted));
        }
        yield list.get((int) index);
      }
      default -> throw EvaluationException.noSuchKey(wanted);
    };
  }

  /** The element, or null; only an existing element has a cost. */
  @Nullable Object ifPresent(Frame frame, Object value) {
    var wanted = key.evaluate(frame);
    Object found =
        switch (value) {
          case CelMap map -> map.find(wanted);
          case CelList list -> {
            long index = index(wanted);
            yield index >= 0 && index < list.size() ? list.get((int) index) : null;
          }
          default -> null;
        };
    frame.charge(found == null ? 0 : 1);
    return found;
  }

  private static long index(Object value) {
    return switch (value) {
      case Long number -> number;
      case CelUint number -> number.bits() < 0 ? -1 : number.bits();
      case Double number when number == Math.rint(number) && Math.abs(number) < 0x1p53 ->
          (long) (double) number;
      case Double number ->
          throw new EvaluationException(
              "unsupported index value " + ValueText.plain(number) + " in list");
      default ->
          throw new EvaluationException(
              "unsupported index type '" + CelValues.typeName(value) + "' in list");
    };
  }
}
