package dev.muster.http;

import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One header line; its name is lower-case. Immutable, but for what a header that many answers have
 * remembers: how it is written. Safe for any thread.
 */
public final class Header {
  private final String name;
  private final String value;
  private final boolean shared;
  private byte @Nullable [] written;

  public Header(String name, String value) {
    this(name, value, false);
  }

  private Header(String name, String value, boolean shared) {
    this.name = name;
    this.value = value;
    this.shared = shared;
  }

  /** A header that many answers have. */
  public static Header shared(String name, String value) {
    return new Header(name, value, true);
  }

  public String name() {
    return name;
  }

  public String value() {
    return value;
  }

  /**
   * The header as it is written; null when it is not worth to be remembered.
   *
   * @param form the one way in which headers are remembered
   */
  public byte @Nullable [] written(Function<Header, byte[]> form) {
    var known = written;
    if (known == null && shared) {
      known = form.apply(this);
      written = known;
    }
    return known;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Header header && name.equals(header.name) && value.equals(header.value);
  }

  @Override
  public int hashCode() {
    return Objects.hash(name, value);
  }

  @Override
  public String toString() {
    return name + ": " + value;
  }
}
