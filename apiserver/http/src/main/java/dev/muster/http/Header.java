package dev.muster.http;

import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One header line; its name is lower-case. Immutable, except that a shared header caches its
 * encoded form. Thread-safe.
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

  /** A header that many responses use. */
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
   * The cached encoding of a shared header; null for other headers.
   *
   * @param form the only encoding that headers cache
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
