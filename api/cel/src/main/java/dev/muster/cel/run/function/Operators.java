package dev.muster.cel.run.function;

import dev.muster.cel.value.CelBytes;
import dev.muster.cel.value.CelList;
import dev.muster.cel.value.CelMap;
import dev.muster.cel.value.CelUint;
import dev.muster.cel.value.CelValues;
import dev.muster.cel.value.EvaluationException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntPredicate;

/** The operators of the language. */
public final class Operators {
  private Operators() {}

  public static void addTo(Map<String, Function> all) {
    all.put("_==_", values -> CelValues.equal(values[0], values[1]));
    all.put("_!=_", values -> !CelValues.matches(values[0], values[1]));
    all.put("_<_", ordered(order -> order < 0));
    all.put("_<=_", ordered(order -> order <= 0));
    all.put("_>_", ordered(order -> order > 0));
    all.put("_>=_", ordered(order -> order >= 0));
    all.put("_+_", values -> add(values[0], values[1]));
    all.put("_-_", values -> subtract(values[0], values[1]));
    all.put("_*_", values -> multiply(values[0], values[1]));
    all.put("_/_", values -> divide(values[0], values[1]));
    all.put("_%_", values -> modulo(values[0], values[1]));
    all.put("-_", values -> negate(values[0]));
    all.put("!_", values -> !bool(values[0]));
    all.put("@in", values -> in(values[0], values[1]));
    all.put("size", values -> size(values[0]));
    all.put("cel.@mapInsert", Operators::insert);
  }

  private static Function ordered(IntPredicate accepted) {
    return values -> accepted.test(CelValues.compare(values[0], values[1]));
  }

  private static boolean bool(Object value) {
    if (value instanceof Boolean bool) {
      return bool;
    }
    throw EvaluationException.noSuchOverload();
  }

  private static Object size(Object value) {
    return switch (value) {
      case String ignored -> CelValues.size(value);
      case CelBytes ignored -> CelValues.size(value);
      case CelList ignored -> CelValues.size(value);
      case CelMap ignored -> CelValues.size(value);
      default -> throw EvaluationException.noSuchOverload();
    };
  }

  private static boolean in(Object value, Object container) {
    return switch (container) {
      case CelMap map -> map.find(value) != null;
      case CelList list -> {
        for (int i = 0; i < list.size(); i++) {
          if (CelValues.matches(value, list.get(i))) {
            yield true;
          }
        }
        yield false;
      }
      default -> throw EvaluationException.noSuchOverload();
    };
  }

  /** Adds one entry or all entries of another map to a map without these keys. */
  private static Object insert(Object[] values) {
    var grown = new LinkedHashMap<Object, Object>();
    copy((CelMap) values[0], grown);
    if (values.length == 3) {
      insert(grown, values[1], values[2]);
    } else {
      var more = new LinkedHashMap<Object, Object>();
      copy((CelMap) values[1], more);
      more.forEach((key, value) -> insert(grown, key, value));
    }
    return CelMap.of(grown);
  }

  private static void copy(CelMap from, Map<Object, Object> to) {
    for (var key : from.keys()) {
      var value = from.find(key);
      if (value != null) {
        to.put(key, value);
      }
    }
  }

  private static void insert(Map<Object, Object> map, Object key, Object value) {
    if (map.putIfAbsent(key, value) != null) {
      throw new EvaluationException("insert failed: key " + key + " already exists");
    }
  }

  static Object add(Object one, Object other) {
    return switch (one) {
      case Long a when other instanceof Long b -> exact(() -> Math.addExact(a, b));
      case String a when other instanceof String b -> a + b;
      case CelList a when other instanceof CelList b -> a.plus(b);
      case Double a when other instanceof Double b -> a + b;
      case CelUint a when other instanceof CelUint b -> {
        long sum = a.bits() + b.bits();
        if (Long.compareUnsigned(sum, a.bits()) < 0) {
          throw unsignedOverflow();
        }
        yield new CelUint(sum);
      }
      case CelBytes a when other instanceof CelBytes b -> {
        var joined = new byte[a.bytes().length + b.bytes().length];
        System.arraycopy(a.bytes(), 0, joined, 0, a.bytes().length);
        System.arraycopy(b.bytes(), 0, joined, a.bytes().length, b.bytes().length);
        yield new CelBytes(joined);
      }
      case Duration a when other instanceof Duration b -> Durations.checked(a.plus(b));
      case Duration a when other instanceof Instant b -> Durations.checked(b.plus(a));
      case Instant a when other instanceof Duration b -> Durations.checked(a.plus(b));
      default -> throw EvaluationException.noSuchOverload();
    };
  }

  private static Object subtract(Object one, Object other) {
    return switch (one) {
      case Long a when other instanceof Long b -> exact(() -> Math.subtractExact(a, b));
      case Double a when other instanceof Double b -> a - b;
      case CelUint a when other instanceof CelUint b -> {
        if (a.compareTo(b) < 0) {
          throw unsignedOverflow();
        }
        yield new CelUint(a.bits() - b.bits());
      }
      case Duration a when other instanceof Duration b -> Durations.checked(a.minus(b));
      case Instant a when other instanceof Duration b -> Durations.checked(a.minus(b));
      case Instant a when other instanceof Instant b -> Durations.checked(Duration.between(b, a));
      default -> throw EvaluationException.noSuchOverload();
    };
  }

  private static Object multiply(Object one, Object other) {
    return switch (one) {
      case Long a when other instanceof Long b -> exact(() -> Math.multiplyExact(a, b));
      case Double a when other instanceof Double b -> a * b;
      case CelUint a when other instanceof CelUint b -> {
        if (Math.unsignedMultiplyHigh(a.bits(), b.bits()) != 0) {
          throw unsignedOverflow();
        }
        yield new CelUint(a.bits() * b.bits());
      }
      default -> throw EvaluationException.noSuchOverload();
    };
  }

  private static Object divide(Object one, Object other) {
    return switch (one) {
      case Long a when other instanceof Long b -> {
        checkDivisor(b, "division by zero");
        yield exact(() -> Math.divideExact(a, b));
      }
      case Double a when other instanceof Double b -> a / b;
      case CelUint a when other instanceof CelUint b -> {
        checkDivisor(b.bits(), "division by zero");
        yield new CelUint(Long.divideUnsigned(a.bits(), b.bits()));
      }
      default -> throw EvaluationException.noSuchOverload();
    };
  }

  private static Object modulo(Object one, Object other) {
    return switch (one) {
      case Long a when other instanceof Long b -> {
        checkDivisor(b, "modulus by zero");
        if (a == Long.MIN_VALUE && b == -1) {
          throw overflow();
        }
        yield a % b;
      }
      case CelUint a when other instanceof CelUint b -> {
        checkDivisor(b.bits(), "modulus by zero");
        yield new CelUint(Long.remainderUnsigned(a.bits(), b.bits()));
      }
      default -> throw EvaluationException.noSuchOverload();
    };
  }

  private static Object negate(Object value) {
    return switch (value) {
      case Long number -> exact(() -> Math.negateExact(number));
      case Double number -> -number;
      case Duration duration -> Durations.checked(duration.negated());
      default -> throw EvaluationException.noSuchOverload();
    };
  }

  private static void checkDivisor(long divisor, String problem) {
    if (divisor == 0) {
      throw new EvaluationException(problem);
    }
  }

  private interface Exact {
    long value();
  }

  private static Object exact(Exact calculation) {
    try {
      return calculation.value();
    } catch (ArithmeticException e) {
      throw overflow();
    }
  }

  static EvaluationException overflow() {
    return new EvaluationException("integer overflow");
  }

  static EvaluationException unsignedOverflow() {
    return new EvaluationException("unsigned integer overflow");
  }
}
