package dev.muster.server.flags;

import java.math.BigInteger;
import java.util.regex.Pattern;

/**
 * Parses integers like a Go program's flags: decimal, or with the prefix {@code 0x}, {@code 0o},
 * {@code 0} or {@code 0b}, and with underscores between digits.
 */
final class GoInteger {
  private static final Pattern FORM =
      Pattern.compile(
          "[-+]?(0[xX](_?[0-9a-fA-F])+|0[bB](_?[01])+|0[oO](_?[0-7])+|0(_?[0-7])*"
              + "|[1-9](_?[0-9])*)");

  private GoInteger() {}

  /**
   * Parses an integer.
   *
   * @throws NumberFormatException when the text is not an integer or does not fit; its message says
   *     which
   */
  static int parse(String text) {
    if (!FORM.matcher(text).matches()) {
      throw new NumberFormatException("is not a whole number");
    }
    var digits = text.replaceFirst("^[-+]", "").replace("_", "");
    int radix = radix(digits);
    var magnitude = new BigInteger(digits.replaceFirst("^0[xXbBoO]", ""), radix);
    try {
      return (text.startsWith("-") ? magnitude.negate() : magnitude).intValueExact();
    } catch (ArithmeticException e) {
      throw new NumberFormatException("is out of range");
    }
  }

  private static int radix(String digits) {
    if (digits.length() < 2 || digits.charAt(0) != '0') {
      return 10;
    }
    return switch (digits.charAt(1)) {
      case 'x', 'X' -> 16;
      case 'b', 'B' -> 2;
      default -> 8;
    };
  }
}
