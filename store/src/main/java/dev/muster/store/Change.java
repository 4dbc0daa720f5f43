package dev.muster.store;

import org.jspecify.annotations.Nullable;

/** A key's new value, or null when it was deleted or expired. */
public record Change(String key, byte @Nullable [] value) {
  public boolean isDelete() {
    return value == null;
  }
}
