package dev.muster.schema.structural;

import java.util.regex.Pattern;

/** Validates the check digits of ISBN and credit card numbers. */
final class CheckDigits {
  private static final Pattern ISBN10 = Pattern.compile("[0-9]{9}[0-9X]");
  private static final Pattern ISBN13 = Pattern.compile("[0-9]{13}");
  private static final Pattern CARD =
      Pattern.compile(
          "4[0-9]{12}([0-9]{3})?|5[1-5][0-9]{14}|6(011|5[0-9]{2})[0-9]{12}|3[47][0-9]{13}"
              + "|3(0[0-5]|[68][0-9])[0-9]{11}|(2131|1800|35[0-9]{3})[0-9]{11}");
  private static final Pattern SPACES = Pattern.compile("[\\s-]+");
  private static final Pattern NO_DIGITS = Pattern.compile("[^0-9]+");

  private CheckDigits() {}

  static boolean isBook10(String text) {
    var digits = SPACES.matcher(text).replaceAll("");
    if (!ISBN10.matcher(digits).matches()) {
      return false;
    }
    int sum = 0;
    for (int i = 0; i < 10; i++) {
      int digit = digits.charAt(i) == 'X' ? 10 : digits.charAt(i) - '0';
      sum += (i + 1) * digit;
    }
    return sum % 11 == 0;
  }

  static boolean isBook13(String text) {
    var digits = SPACES.matcher(text).replaceAll("");
    if (!ISBN13.matcher(digits).matches()) {
      return false;
    }
    int sum = 0;
    for (int i = 0; i < 13; i++) {
      sum += (i % 2 == 0 ? 1 : 3) * (digits.charAt(i) - '0');
    }
    return sum % 10 == 0;
  }

  /** Ignores all characters between the digits of a card number. */
  static boolean isCard(String text) {
    var digits = NO_DIGITS.matcher(text).replaceAll("");
    if (!CARD.matcher(digits).matches()) {
      return false;
    }
    int sum = 0;
    for (int i = 0; i < digits.length(); i++) {
      int digit = digits.charAt(digits.length() - 1 - i) - '0';
      int doubled = i % 2 == 0 ? digit : 2 * digit;
      sum += doubled > 9 ? doubled - 9 : doubled;
    }
    return sum % 10 == 0;
  }
}
