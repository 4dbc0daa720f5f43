package dev.muster.cel.value;

import java.util.Arrays;

/** Bytes, which must not be modified. */
public record CelBytes(byte[] bytes) implements Comparable<CelBytes> {
  @Override
  public int compareTo(CelBytes other) {
    return Arrays.compareUnsigned(bytes, other.bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CelBytes that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }
}
