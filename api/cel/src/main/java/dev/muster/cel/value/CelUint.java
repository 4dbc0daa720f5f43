package dev.muster.cel.value;

/** An unsigned 64-bit integer. */
public record CelUint(long bits) implements Comparable<CelUint> {
  @Override
  public int compareTo(CelUint other) {
    return Long.compareUnsigned(bits, other.bits);
  }

  @Override
  public String toString() {
    return Long.toUnsignedString(bits);
  }
}
