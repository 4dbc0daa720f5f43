package dev.muster.store;

import org.jspecify.annotations.Nullable;

/** A key's new value, or null when it was deleted or expired, and how the value is stored. */
public record Change(String key, byte @Nullable [] value, EncryptionState sealing) {
  /** A deletion, or a value in the clear. */
  public Change(String key, byte @Nullable [] value) {
    this(key, value, EncryptionState.NONE);
  }

  public boolean isDelete() {
    return value == null;
  }
}
