package dev.muster.model;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/**
 * An amount of a resource such as {@code 1500m} or {@code 2Gi}: a decimal number of at least
 * nano-precision, and the format in which it is printed. Immutable. Small amounts are a 64-bit
 * number and a power of ten, all others an arbitrary decimal. The two differ where upstream's do: a
 * 64-bit amount that does not fit the requested unit is 0.
 */
public final class Quantity implements Comparable<Quantity> {
  /** The format in which an amount is printed. */
  public enum Format {
    /** Powers of a thousand: {@code 12M}. */
    DECIMAL_SI,
    /** Powers of 1024: {@code 12Mi}. */
    BINARY_SI,
    /** Scientific: {@code 12e6}. */
    DECIMAL_EXPONENT
  }

  public static final Quantity ZERO = new Quantity(0, 0, null, Format.DECIMAL_SI, "0");

  private static final BigInteger KIBI = BigInteger.valueOf(1024);
  private static final int MOST_BINARY_FACTORS = 6;
  private static final int MOST_DIGITS = 1000;

  private final long units;
  private final int scale;
  private final @Nullable BigDecimal decimal;
  private final Format format;
  private @Nullable String text;

  /**
   * @param scale the power of ten that the units count, when there is no decimal
   * @param text the printed form, or null to compute it on first use
   */
  Quantity(
      long units, int scale, @Nullable BigDecimal decimal, Format format, @Nullable String text) {
    this.units = units;
    this.scale = scale;
    this.decimal = decimal;
    this.format = format;
    this.text = text;
  }

  /**
   * Parses an amount.
   *
   * @throws MalformedValueException with kube-apiserver's message
   */
  public static Quantity parse(String text) {
    return QuantityParser.parse(text);
  }

  public static Quantity of(long value, Format format) {
    return new Quantity(value, 0, null, format, null);
  }

  public static Quantity of(long value) {
    return of(value, Format.DECIMAL_SI);
  }

  static Quantity of(BigDecimal value, Format format) {
    return new Quantity(0, 0, value, format, null);
  }

  public Format format() {
    return format;
  }

  /** The exact amount. */
  public BigDecimal decimal() {
    var exact = decimal;
    return exact != null ? exact : BigDecimal.valueOf(units, -scale);
  }

  public int signum() {
    var exact = decimal;
    return exact != null ? exact.signum() : Long.signum(units);
  }

  public boolean isZero() {
    return signum() == 0;
  }

  /** The amount as a whole number, rounded away from zero. */
  public long value() {
    return scaled(0);
  }

  /** The amount in thousandths, rounded away from zero. */
  public long milliValue() {
    return scaled(-3);
  }

  private long scaled(int unit) {
    var exact = decimal;
    if (exact != null) {
      return scaled(exact.unscaledValue(), exact.scale() + unit);
    }
    if (scale < unit) {
      return BigDecimal.valueOf(units, -scale)
          .setScale(-unit, RoundingMode.UP)
          .unscaledValue()
          .longValue();
    }
    long result = units;
    for (int i = scale; i > unit && result != 0; i--) {
      try {
        result = Math.multiplyExact(result, 10L);
      } catch (ArithmeticException tooLarge) {
        return 0;
      }
    }
    return result;
  }

  private static long scaled(BigInteger unscaled, int fraction) {
    if (fraction <= 0) {
      double power = Math.pow(10, -fraction);
      return unscaled.longValue() * (power >= 0x1p63 ? Long.MIN_VALUE : (long) power);
    }
    var parts = unscaled.divideAndRemainder(BigInteger.TEN.pow(Math.min(fraction, 10_000)));
    return parts[0].longValue() + (parts[1].signum() == 0 ? 0 : 1);
  }

  /**
   * The amount if it is a whole number that fits 64 bits and is not stored as a decimal; else null.
   */
  public @Nullable Long exactValue() {
    if (decimal != null || scale < 0) {
      return null;
    }
    long value = scaled(0);
    return value == 0 && units != 0 ? null : Long.valueOf(value);
  }

  public double doubleValue() {
    return decimal().doubleValue();
  }

  /** The sum; printed in this amount's format, or in the other's when this one is zero. */
  public Quantity plus(Quantity other) {
    var kept = isZero() ? other.format : format;
    if (decimal == null && other.decimal == null) {
      if (other.units == 0) {
        return new Quantity(units, scale, null, kept, null);
      }
      if (units == 0) {
        return new Quantity(other.units, other.scale, null, kept, null);
      }
      var small = BigDecimal.valueOf(units, -scale);
      if (Math.abs((long) scale - other.scale) <= 18) {
        var sum = small.add(BigDecimal.valueOf(other.units, -other.scale));
        if (sum.unscaledValue().bitLength() < 64) {
          return new Quantity(sum.unscaledValue().longValue(), -sum.scale(), null, kept, null);
        }
      }
    }
    return of(add(decimal(), other.decimal()), kept);
  }

  /** The sum; leaves out an amount that is vanishingly small beside the other. */
  private static BigDecimal add(BigDecimal one, BigDecimal other) {
    long oneSize = (long) one.precision() - one.scale();
    long otherSize = (long) other.precision() - other.scale();
    if (one.signum() == 0 || otherSize - oneSize > MOST_DIGITS) {
      return other;
    }
    return other.signum() == 0 || oneSize - otherSize > MOST_DIGITS ? one : one.add(other);
  }

  public Quantity minus(Quantity other) {
    return plus(other.negated());
  }

  public Quantity negated() {
    var exact = decimal;
    return new Quantity(-units, scale, exact == null ? null : exact.negate(), format, null);
  }

  /** This amount rounded away from zero to a multiple of a power of ten, such as -3 for milli. */
  public Quantity roundedUp(int unit) {
    var exact = decimal;
    if (exact != null) {
      return exact.scale() <= -unit ? this : of(exact.setScale(-unit, RoundingMode.UP), format);
    }
    return scale >= unit ? this : new Quantity(scaled(unit), unit, null, format, null);
  }

  @Override
  public int compareTo(Quantity other) {
    if (decimal == null && other.decimal == null && scale == other.scale) {
      return Long.compare(units, other.units);
    }
    return decimal().compareTo(other.decimal());
  }

  /** Equal amounts are equal in any format. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Quantity quantity && compareTo(quantity) == 0;
  }

  @Override
  public int hashCode() {
    return Double.hashCode(doubleValue());
  }

  /**
   * The text that upstream's encoder writes: usually the canonical form, in some cases the
   * original.
   */
  @Override
  public String toString() {
    var known = text;
    if (known == null) {
      known = canonical();
      text = known;
    }
    return known;
  }

  /** The form without fraction and with the largest possible suffix. */
  public String canonical() {
    if (isZero()) {
      return "0";
    }
    var amount = decimal();
    if (format == Format.BINARY_SI
        && amount.abs().compareTo(BigDecimal.valueOf(1024)) >= 0
        && isWhole(amount)) {
      return binary(amount.toBigInteger());
    }
    return decimalText(amount, format == Format.BINARY_SI ? Format.DECIMAL_SI : format);
  }

  private static boolean isWhole(BigDecimal amount) {
    return amount.scale() <= 0 || amount.stripTrailingZeros().scale() <= 0;
  }

  private static String binary(BigInteger whole) {
    int factors = Math.min(whole.getLowestSetBit() / 10, MOST_BINARY_FACTORS);
    var number = whole.divide(KIBI.pow(factors));
    return number + QuantityParser.binarySuffix(factors);
  }

  private static String decimalText(BigDecimal amount, Format format) {
    var stripped = amount.stripTrailingZeros();
    var number = stripped.unscaledValue();
    int exponent = -stripped.scale();
    for (; exponent % 3 != 0; exponent--) {
      number = number.multiply(BigInteger.TEN);
    }
    var suffix = format == Format.DECIMAL_SI ? QuantityParser.decimalSuffix(exponent) : null;
    if (suffix == null) {
      suffix = exponent == 0 ? "" : "e" + exponent;
    }
    return number + suffix;
  }
}
