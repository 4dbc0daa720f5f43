package dev.muster.model.gocompat;

/** Whole numbers in decimal, read as Go reads them. */
public final class GoNumber {
  private GoNumber() {}

  /**
   * @throws NumberFormatException with Go's words for what is wrong, as far as they follow the name
   *     of the function
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

  /** The number; the nearest one when it is too large, and 0 when it is none. */
  public static long orZero(String text) {
    try {
      return parse(text);
    } catch (NumberFormatException e) {
      boolean large = String.valueOf(e.getMessage()).endsWith("range");
      return !large ? 0 : text.startsWith("-") ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
  }
}
