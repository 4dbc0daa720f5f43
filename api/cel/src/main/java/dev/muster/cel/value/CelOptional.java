package dev.muster.cel.value;

import org.jspecify.annotations.Nullable;

/** An optional value. */
public record CelOptional(@Nullable Object value) {
  public static final CelOptional NONE = new CelOptional(null);

  public boolean isPresent() {
    return value != null;
  }
}
