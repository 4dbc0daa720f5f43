package dev.muster.cel;

/**
 * The least and the most that something can be: a size, or what it costs to evaluate an expression.
 * Both are never negative; what would be larger than a long is {@link Long#MAX_VALUE}.
 */
public record CostRange(long min, long max) {
  static final CostRange ZERO = fixed(0);
  static final CostRange ONE = fixed(1);
  static final CostRange UNKNOWN = new CostRange(0, Long.MAX_VALUE);

  public static CostRange fixed(long value) {
    return new CostRange(value, value);
  }

  /** From nothing to that much. */
  public static CostRange upTo(long most) {
    return new CostRange(0, most);
  }

  CostRange plus(CostRange other) {
    return new CostRange(sum(min, other.min), sum(max, other.max));
  }

  CostRange times(CostRange other) {
    return new CostRange(product(min, other.min), product(max, other.max));
  }

  CostRange times(double factor) {
    return new CostRange(scaled(min, factor), scaled(max, factor));
  }

  /** Whatever one of the two can be. */
  CostRange or(CostRange other) {
    return new CostRange(Math.min(min, other.min), Math.max(max, other.max));
  }

  private static long sum(long one, long other) {
    return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
  }

  /** The product, or the largest number when it is larger. */
  public static long product(long one, long other) {
    return other != 0 && one > Long.MAX_VALUE / other ? Long.MAX_VALUE : one * other;
  }

  /** Rounded up; the conversion keeps to the largest number. */
  private static long scaled(long value, double factor) {
    return (long) Math.ceil(value * factor);
  }
}
