package dev.muster.model.gocompat;

/** Parses decimal integers like Go. */
public final class GoNumber {
  private GoNumber() {}

  /**
   * @throws NumberFormatException with the part of Go's message that follows the function name
   */
  public static long parse(String text) {
    int start = !text.isEmpty() && (text.charAt(0) == '-' || text.charAt(0) == '+') ? 1 : 0;
    boolean digits = start < text.length();
    for (int i = start; i < text.length(); i++) {
      digits &= text.charAt(i) >= '0' && text.charAt(i) <= '9';
    }
    if (!digits) {
      throw new NumberFormatException("parsing " + GoText.quote(text) + ": invalid syntax");
    }
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new NumberFormatException("parsing " + GoText.quote(text) + ": value out of range");
    }
  }

  /** The number; the nearest one when it is out of range, and 0 when the text is not a number. */
  public static long orZero(String text) {
    try {
      return parse(text);
    } catch (NumberFormatException e) {
      boolean large = String.valueOf(e.getMessage()).endsWith("range");
      return !large ? 0 : text.startsWith("-") ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
  }
}
