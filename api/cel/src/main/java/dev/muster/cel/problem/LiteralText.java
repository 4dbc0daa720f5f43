package dev.muster.cel.problem;

import java.math.BigInteger;

/** Checks whether literals have a value. */
final class LiteralText {
  private static final String WRONG = "unable to unescape string";
  private static final String WRONG_OCTAL = "unable to unescape octal sequence in string";
  private static final String NO_CHARACTER = "invalid unicode code point";
  private static final String SIMPLE_ESCAPES = "abfnrtv\\'\"`?";
  private static final BigInteger UNSIGNED = BigInteger.ONE.shiftLeft(64);

  private LiteralText() {}

  static boolean isInt(boolean negative, String text) {
    return number(text).add(negative ? BigInteger.ONE.negate() : BigInteger.ZERO).bitLength() < 64;
  }

  /** Expects the text without its final letter. */
  static boolean isUint(String text) {
    return number(text).compareTo(UNSIGNED) < 0;
  }

  static boolean isDouble(String text) {
    return Double.isFinite(Double.parseDouble(text));
  }

  private static BigInteger number(String text) {
    return text.startsWith("0x") ? new BigInteger(text.substring(2), 16) : new BigInteger(text);
  }

  /**
   * The error in a quoted string, or "".
   *
   * @param bytes whether it is a bytes literal
   */
  static String problem(String quoted, boolean bytes) {
    if (quoted.charAt(0) == 'r' || quoted.charAt(0) == 'R') {
      return "";
    }
    int quotes = quoted.startsWith("'''") || quoted.startsWith("\"\"\"") ? 3 : 1;
    quotes = quoted.length() < 6 ? 1 : quotes;
    int end = quoted.length() - quotes;
    for (int i = quotes; i < end; ) {
      if (quoted.charAt(i) != '\\') {
        i++;
        continue;
      }
      if (i + 1 == end) {
        return WRONG + ", found '\\' as last character";
      }
      char kind = quoted.charAt(i + 1);
      int digits = digits(kind);
      if (digits < 0 || (digits > 2 && bytes) || i + 2 + digits > end) {
        return kind >= '0' && kind <= '3' ? WRONG_OCTAL : WRONG;
      }
      boolean octal = kind >= '0' && kind <= '3';
      long value = octal ? kind - '0' : 0;
      for (int at = i + 2; at < i + 2 + digits; at++) {
        int digit = Character.digit(quoted.charAt(at), octal ? 8 : 16);
        if (digit < 0) {
          return octal ? WRONG_OCTAL : WRONG;
        }
        value = value * (octal ? 8 : 16) + digit;
      }
      if (!bytes && (value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))) {
        return NO_CHARACTER;
      }
      i += 2 + digits;
    }
    return "";
  }

  /** The number of digits after that escape letter, or -1 for an invalid escape. */
  private static int digits(char kind) {
    return switch (kind) {
      case 'x', 'X', '0', '1', '2', '3' -> 2;
      case 'u' -> 4;
      case 'U' -> 8;
      default -> SIMPLE_ESCAPES.indexOf(kind) >= 0 ? 0 : -1;
    };
  }
}
