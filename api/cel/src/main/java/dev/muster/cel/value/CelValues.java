package dev.muster.cel.value;

import dev.muster.model.Quantity;
import dev.muster.model.address.Cidr;
import dev.muster.model.address.Ip;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Operations on values of all types: equality, order, size and type name. */
public final class CelValues {
  /** The smallest double above all ints. */
  private static final double TWO_63 = 0x1p63;

  private static final double TWO_64 = 0x1p64;

  private CelValues() {}

  /**
   * Whether two values are equal; numbers are compared across types.
   *
   * @throws EvaluationException when the first value can be compared only with its own type
   */
  public static boolean equal(Object one, Object other) {
    return switch (one) {
      case String text -> text.equals(other);
      case Boolean bool -> bool.equals(other);
      case Long number when other instanceof Long that -> number.longValue() == that.longValue();
      case Long ignored -> isNumber(other) && compareNumbers(one, other) == 0;
      case Double number when number.isNaN() -> false;
      case Double ignored -> isNumber(other) && !isNaN(other) && compareNumbers(one, other) == 0;
      case CelUint ignored -> isNumber(other) && compareNumbers(one, other) == 0;
      case CelList list -> list.isSame(other);
      case CelMap map -> map.isSame(other);
      case CelOptional optional ->
          other instanceof CelOptional that && sameOrNone(optional.value(), that.value());
      case Quantity quantity -> quantity.compareTo(sameType(quantity, other)) == 0;
      case Ip ip -> ip.equals(sameType(ip, other));
      case Cidr range -> range.equals(sameType(range, other));
      case CelUrl url -> url.equals(sameType(url, other));
      case SemanticVersion version -> version.equals(sameType(version, other));
      case NamedFormat format -> format.equals(sameType(format, other));
      default -> one.equals(other);
    };
  }

  /**
   * The other value as the same type. For Kubernetes' own types, a different type is an error
   * rather than unequal.
   */
  private static <T> T sameType(T one, Object other) {
    @SuppressWarnings("unchecked")
    var type = (Class<T>) one.getClass();
    if (!type.isInstance(other)) {
      throw EvaluationException.noSuchOverload();
    }
    return type.cast(other);
  }

  /** Whether two values can be compared and are equal. */
  public static boolean matches(Object one, Object other) {
    try {
      return equal(one, other);
    } catch (EvaluationException e) {
      return false;
    }
  }

  /** Whether two values are equal, or both null. */
  public static boolean sameOrNone(@Nullable Object one, @Nullable Object other) {
    return (one == null || other == null) ? one == other : equal(one, other);
  }

  private static boolean isNaN(Object value) {
    return value instanceof Double number && number.isNaN();
  }

  private static boolean isNumber(Object value) {
    return value instanceof Long || value instanceof Double || value instanceof CelUint;
  }

  /**
   * Compares two values.
   *
   * @throws EvaluationException when they have no order
   */
  public static int compare(Object one, Object other) {
    if (isNumber(one) && isNumber(other)) {
      if (isNaN(one) || isNaN(other)) {
        throw new EvaluationException("NaN values cannot be ordered");
      }
      return compareNumbers(one, other);
    }
    return switch (one) {
      case String text when other instanceof String that -> compareTexts(text, that);
      case Boolean bool when other instanceof Boolean that -> bool.compareTo(that);
      case CelBytes bytes when other instanceof CelBytes that -> bytes.compareTo(that);
      case Duration duration when other instanceof Duration that -> duration.compareTo(that);
      case Instant time when other instanceof Instant that -> time.compareTo(that);
      default -> throw EvaluationException.noSuchOverload();
    };
  }

  /** Compares by code points, which is the order of UTF-8 bytes. */
  private static int compareTexts(String one, String other) {
    int shorter = Math.min(one.length(), other.length());
    for (int i = 0; i < shorter; i++) {
      char a = one.charAt(i);
      char b = other.charAt(i);
      if (a != b) {
        boolean bothHigh = Character.isSurrogate(a) || Character.isSurrogate(b);
        return bothHigh && Character.isSurrogate(a) != Character.isSurrogate(b)
            ? Boolean.compare(Character.isSurrogate(a), Character.isSurrogate(b))
            : Character.compare(a, b);
      }
    }
    return Integer.compare(one.length(), other.length());
  }

  private static int compareNumbers(Object one, Object other) {
    return switch (one) {
      case Long a ->
          switch (other) {
            case Long b -> Long.compare(a, b);
            case CelUint b -> a < 0 ? -1 : Long.compareUnsigned(a, b.bits());
            case Double b -> compareWithDouble(a, b);
            default -> throw EvaluationException.noSuchOverload();
          };
      case CelUint a ->
          switch (other) {
            case Long b -> b < 0 ? 1 : Long.compareUnsigned(a.bits(), b);
            case CelUint b -> a.compareTo(b);
            case Double b -> compareWithDouble(a, b);
            default -> throw EvaluationException.noSuchOverload();
          };
      case Double a ->
          switch (other) {
            case Long b -> -compareWithDouble(b, a);
            case CelUint b -> -compareWithDouble(b, a);
            case Double b -> a < b ? -1 : a > b ? 1 : 0;
            default -> throw EvaluationException.noSuchOverload();
          };
      default -> throw EvaluationException.noSuchOverload();
    };
  }

  private static int compareWithDouble(long one, double other) {
    if (other < -TWO_63) {
      return 1;
    }
    if (other >= TWO_63) {
      return -1;
    }
    double own = (double) one;
    return own < other ? -1 : own > other ? 1 : 0;
  }

  private static int compareWithDouble(CelUint one, double other) {
    if (other < 0) {
      return 1;
    }
    if (other >= TWO_64) {
      return -1;
    }
    double own = unsigned(one);
    return own < other ? -1 : own > other ? 1 : 0;
  }

  /** The nearest double. */
  public static double unsigned(CelUint value) {
    long bits = value.bits();
    return bits >= 0 ? (double) bits : (double) ((bits >>> 1) | (bits & 1)) * 2;
  }

  /** The equal numbers of other types. */
  static List<Object> sameNumbers(Object key) {
    var same = new ArrayList<Object>(2);
    for (Object other :
        switch (key) {
          case Long number -> List.of(new CelUint(number), (double) number);
          case CelUint number -> List.of(number.bits(), unsigned(number));
          case Double number ->
              List.of((long) (double) number, new CelUint((long) (double) number));
          default -> List.of();
        }) {
      if (equal(key, other)) {
        same.add(other);
      }
    }
    return same;
  }

  /** The size for costs: characters, bytes or elements; 1 for all other values. */
  public static long size(Object value) {
    return switch (value) {
      case String text -> text.codePointCount(0, text.length());
      case CelBytes bytes -> bytes.bytes().length;
      case CelList list -> list.size();
      case CelMap map -> map.size();
      case CelOptional optional -> optional.value() == null ? 1 : size(optional.value());
      case Ip ip -> ip.bytes().length;
      case Cidr range -> (range.prefix() + 7) / 8;
      default -> 1;
    };
  }

  /** The type name in messages. */
  public static String typeName(Object value) {
    return switch (value) {
      case String ignored -> "string";
      case Boolean ignored -> "bool";
      case Long ignored -> "int";
      case CelUint ignored -> "uint";
      case Double ignored -> "double";
      case CelBytes ignored -> "bytes";
      case CelNull ignored -> "null_type";
      case CelList ignored -> "list";
      case CelMap ignored -> "map";
      case Duration ignored -> "google.protobuf.Duration";
      case Instant ignored -> "google.protobuf.Timestamp";
      case TypeValue ignored -> "type";
      case CelOptional ignored -> "optional_type";
      case Quantity ignored -> "kubernetes.Quantity";
      case Ip ignored -> "net.IP";
      case Cidr ignored -> "net.CIDR";
      case OpaqueValue opaque -> opaque.typeName();
      default -> throw new IllegalArgumentException(value.getClass().getName());
    };
  }
}
