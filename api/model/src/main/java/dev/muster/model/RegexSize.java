package dev.muster.model;

import java.util.ArrayDeque;

/**
 * Estimates the compiled size of a regular expression. Repetitions multiply that size, so a short
 * expression may take all memory: {@code (a{30}){30}} has 900 steps. Check a user's expression with
 * this class before you compile it.
 */
public final class RegexSize {
  /** The maximum number of steps; expressions that people write have some hundreds. */
  private static final long MOST_STEPS = 1 << 18;

  /** The error message for such an expression, as in Go's package. */
  public static final String TOO_LARGE = "expression too large";

  private RegexSize() {}

  /** Whether the expression is too large to compile. */
  public static boolean isTooLarge(String expression) {
    return steps(expression) > MOST_STEPS;
  }

  /**
   * The approximate number of steps of the compiled expression; a lower bound for an invalid one.
   */
  static long steps(String expression) {
    var outer = new ArrayDeque<Long>();
    long sum = 0;
    long last = 0;
    int at = 0;
    while (at < expression.length() && sum <= MOST_STEPS) {
      int next = at + 1;
      switch (expression.charAt(at)) {
        case '\\' -> {
          next = escapeEnd(expression, at);
          last = (long) next - at;
          sum += last;
        }
        case '[' -> {
          next = classEnd(expression, at);
          last = (long) next - at;
          sum += last;
        }
        case '(' -> {
          outer.push(sum);
          sum = 2;
          last = 0;
        }
        case ')' -> {
          last = sum;
          sum += outer.isEmpty() ? 0 : outer.pop();
        }
        case '{' -> {
          int end = expression.indexOf('}', at);
          long times = end < 0 || end - at > 10 ? 0 : times(expression.substring(at + 1, end));
          if (times > 0) {
            next = end + 1;
            sum += last * (times - 1) + times;
            last *= times;
          } else {
            last = 1;
            sum++;
          }
        }
        default -> {
          last = 1;
          sum++;
        }
      }
      at = next;
    }
    for (var before : outer) {
      sum += before;
    }
    return sum;
  }

  /** The larger number of a repetition; 0 when the text is not a repetition. */
  private static long times(String range) {
    int comma = range.indexOf(',');
    var most =
        comma < 0 || comma == range.length() - 1
            ? range.replace(",", "")
            : range.substring(comma + 1);
    return !most.isEmpty() && most.chars().allMatch(c -> c >= '0' && c <= '9')
        ? Long.parseLong(most)
        : 0;
  }

  private static int escapeEnd(String expression, int at) {
    if (expression.startsWith("\\Q", at)) {
      int end = expression.indexOf("\\E", at);
      return end < 0 ? expression.length() : end + 2;
    }
    return Math.min(at + 2, expression.length());
  }

  private static int classEnd(String expression, int start) {
    int at = start + 1;
    if (expression.startsWith("^", at)) {
      at++;
    }
    if (expression.startsWith("]", at)) {
      at++;
    }
    while (at < expression.length() && expression.charAt(at) != ']') {
      at +=
          expression.charAt(at) == '\\'
              ? 2
              : expression.startsWith("[:", at) ? posixEnd(expression, at) : 1;
    }
    return Math.min(at + 1, expression.length());
  }

  /** The length of a named class such as {@code [:alpha:]}. */
  private static int posixEnd(String expression, int at) {
    int end = expression.indexOf(":]", at);
    return end < 0 || end - at > 12 ? 1 : end + 2 - at;
  }
}
