package dev.muster.model;

import dev.muster.model.Quantity.Format;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/** Parses the text of a {@link Quantity}: a number and a suffix. */
final class QuantityParser {
  private static final String WRONG_FORM =
      "quantities must match the regular expression"
          + " '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
  private static final String WRONG_NUMBER = "unable to parse numeric part of quantity";
  private static final String WRONG_SUFFIX = "unable to parse quantity's suffix";

  private static final int LONG_DIGITS = 18;
  private static final int NANO = -9;

  /** Numbers with more digits cost more than they are worth; the largest amount has 19. */
  private static final int MOST_DIGITS = 1000;

  private static final BigDecimal MOST = BigDecimal.valueOf(Long.MAX_VALUE);
  private static final String[] DECIMAL = {"n", "u", "m", "", "k", "M", "G", "T", "P", "E"};
  private static final String[] BINARY = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};

  /** The meaning of a suffix. */
  private record Suffix(int exponent, Format format) {}

  private QuantityParser() {}

  static @Nullable String decimalSuffix(int exponent) {
    int index = exponent / 3 + 3;
    return index >= 0 && index < DECIMAL.length ? DECIMAL[index] : null;
  }

  static String binarySuffix(int factors) {
    return BINARY[factors];
  }

  static Quantity parse(String text) {
    if (text.isEmpty()) {
      throw new MalformedValueException(WRONG_FORM);
    }
    if (text.equals("0")) {
      return Quantity.ZERO;
    }
    int sign = text.charAt(0) == '-' || text.charAt(0) == '+' ? 1 : 0;
    int zeros = skip(text, sign, "0");
    int whole = skip(text, zeros, "0123456789");
    int number = whole;
    var fraction = "";
    if (whole < text.length() && text.charAt(whole) == '.') {
      number = skip(text, whole + 1, "0123456789");
      fraction = text.substring(whole + 1, number);
    }
    int end = skip(text, number, "eEinumkKMGTP");
    if (end < text.length() && (text.charAt(end) == '-' || text.charAt(end) == '+')) {
      end++;
    }
    end = skip(text, end, "0123456789");
    if (end < text.length()) {
      throw new MalformedValueException(WRONG_FORM);
    }
    var suffix = suffix(text.substring(number));
    if (suffix == null) {
      throw new MalformedValueException(WRONG_SUFFIX);
    }
    var digits = zeros == whole ? "0" : text.substring(zeros, whole);
    boolean negative = text.charAt(0) == '-';
    var small = small(text, digits, fraction, suffix, negative);
    return small != null ? small : large(text.substring(0, number), suffix);
  }

  private static int skip(String text, int from, String characters) {
    int at = from;
    while (at < text.length() && characters.indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    return at;
  }

  private static @Nullable Suffix suffix(String text) {
    for (int i = 0; i < DECIMAL.length; i++) {
      if (DECIMAL[i].equals(text)) {
        return new Suffix(3 * (i - 3), Format.DECIMAL_SI);
      }
    }
    for (int i = 1; i < BINARY.length; i++) {
      if (BINARY[i].equals(text)) {
        return new Suffix(10 * i, Format.BINARY_SI);
      }
    }
    if (text.length() > 1 && (text.charAt(0) == 'e' || text.charAt(0) == 'E')) {
      try {
        return new Suffix((int) Long.parseLong(text.substring(1)), Format.DECIMAL_EXPONENT);
      } catch (NumberFormatException notANumber) {
        return null;
      }
    }
    return null;
  }

  /** The amount as 64-bit units of a power of ten, or null when it does not fit. */
  private static @Nullable Quantity small(
      String text, String digits, String fraction, Suffix suffix, boolean negative) {
    boolean binary = suffix.format() == Format.BINARY_SI;
    int spare =
        !binary
            ? LONG_DIGITS - digits.length() - fraction.length()
            : fraction.isEmpty() ? 15 - digits.length() - suffix.exponent() * 3 / 10 - 1 : -1;
    long scale = (binary ? 0 : suffix.exponent()) - (long) fraction.length();
    if (spare < 0 || scale < NANO) {
      return null;
    }
    var shifted = digits + fraction;
    long value = Long.parseLong(shifted);
    long units = binary ? value << suffix.exponent() : value;
    boolean kept =
        binary
            ? (value & 7) != 0
            : scale % 3 == 0 && !shifted.endsWith("000") && shifted.charAt(0) != '0';
    return new Quantity(
        negative ? -units : units, (int) scale, null, suffix.format(), kept ? text : null);
  }

  private static Quantity large(String number, Suffix suffix) {
    if (number.length() > MOST_DIGITS) {
      throw new MalformedValueException(WRONG_NUMBER);
    }
    BigDecimal amount;
    try {
      amount = new BigDecimal(number);
    } catch (NumberFormatException notANumber) {
      throw new MalformedValueException(WRONG_NUMBER);
    }
    var format = suffix.format();
    if (format == Format.BINARY_SI) {
      amount = amount.multiply(new BigDecimal(BigInteger.ONE.shiftLeft(suffix.exponent())));
    } else if (amount.signum() != 0) {
      amount = scaled(amount, suffix.exponent());
    }
    if (amount.signum() != 0) {
      amount = amount.setScale(-NANO, RoundingMode.UP);
    }
    if (format == Format.BINARY_SI) {
      if (amount.abs().compareTo(MOST) > 0) {
        amount = amount.signum() < 0 ? MOST.negate() : MOST;
      } else if (amount.signum() != 0 && amount.abs().compareTo(BigDecimal.ONE) < 0) {
        format = Format.DECIMAL_SI;
      }
    }
    return Quantity.of(amount, format);
  }

  /** Shifts the decimal point. Far below a nano, one digit of any size gives the right result. */
  private static BigDecimal scaled(BigDecimal amount, int exponent) {
    long scale = (long) amount.scale() - exponent;
    if (scale > 2 * MOST_DIGITS) {
      return BigDecimal.valueOf(amount.signum(), 100);
    }
    if (scale < -1_000_000) {
      throw new MalformedValueException(WRONG_NUMBER);
    }
    return amount.scaleByPowerOfTen(exponent);
  }
}
