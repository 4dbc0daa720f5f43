package dev.muster.cel.run.function;

import dev.muster.cel.value.CelBytes;
import dev.muster.cel.value.CelList;
import dev.muster.cel.value.CelMap;
import dev.muster.cel.value.CelNull;
import dev.muster.cel.value.CelOptional;
import dev.muster.cel.value.CelUint;
import dev.muster.cel.value.EvaluationException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;

/** Functions for optional values. */
public final class OptionalFunctions {
  private OptionalFunctions() {}

  public static void addTo(Map<String, Function> all) {
    all.put("optional.of", values -> new CelOptional(values[0]));
    all.put("optional.none", values -> CelOptional.NONE);
    all.put(
        "optional.ofNonZeroValue",
        values -> isZero(values[0]) ? CelOptional.NONE : new CelOptional(values[0]));
    all.put("hasValue", values -> ((CelOptional) values[0]).isPresent());
    all.put("value", values -> value((CelOptional) values[0]));
    all.put("unwrapOpt", values -> unwrapped((CelList) values[0]));
    all.put("optional.unwrap", values -> unwrapped((CelList) values[0]));
    all.put("first", values -> at((CelList) values[0], 0));
    all.put("last", values -> at((CelList) values[0], ((CelList) values[0]).size() - 1));
  }

  private static Object value(CelOptional optional) {
    if (optional.value() == null) {
      throw new EvaluationException("optional.none() dereference");
    }
    return optional.value();
  }

  private static Object at(CelList list, int index) {
    return list.size() == 0 ? CelOptional.NONE : new CelOptional(list.get(index));
  }

  private static Object unwrapped(CelList list) {
    var present = new ArrayList<Object>();
    for (int i = 0; i < list.size(); i++) {
      var value = ((CelOptional) list.get(i)).value();
      if (value != null) {
        present.add(value);
      }
    }
    return CelList.of(present);
  }

  private static boolean isZero(Object value) {
    return switch (value) {
      case CelNull ignored -> true;
      case Boolean bool -> !bool;
      case Long number -> number == 0;
      case CelUint number -> number.bits() == 0;
      case Double number -> number == 0;
      case String text -> text.isEmpty();
      case CelBytes bytes -> bytes.bytes().length == 0;
      case CelList list -> list.size() == 0;
      case CelMap map -> map.size() == 0;
      case Duration duration -> duration.isZero();
      case CelOptional optional -> !optional.isPresent();
      default -> false;
    };
  }
}
