package dev.muster.cel;

/**
 * The minimum and maximum of a size or a cost. Both are never negative; {@link Long#MAX_VALUE}
 * stands for all larger numbers.
 */
public record CostRange(long min, long max) {
  static final CostRange ZERO = fixed(0);
  static final CostRange ONE = fixed(1);
  static final CostRange UNKNOWN = new CostRange(0, Long.MAX_VALUE);

  public static CostRange fixed(long value) {
    return new CostRange(value, value);
  }

  /** The range from 0 to that maximum. */
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

  /** The smallest range that contains both. */
  CostRange or(CostRange other) {
    return new CostRange(Math.min(min, other.min), Math.max(max, other.max));
  }

  private static long sum(long one, long other) {
    return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
  }

  /** The product, or {@link Long#MAX_VALUE} on overflow. */
  public static long product(long one, long other) {
    return other != 0 && one > Long.MAX_VALUE / other ? Long.MAX_VALUE : one * other;
  }

  /** Rounded up; the conversion to long caps at the largest number. */
  private static long scaled(long value, double factor) {
    return (long) Math.ceil(value * factor);
  }
}
