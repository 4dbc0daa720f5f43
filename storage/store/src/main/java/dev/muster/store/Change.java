package dev.muster.store;

import org.jspecify.annotations.Nullable;

/**
 * A key's new value and how the store keeps it; the value is null when the key was deleted or
 * expired.
 */
public record Change(String key, byte @Nullable [] value, EncryptionState sealing) {
  /** A deletion, or a value that is not encrypted. */
  public Change(String key, byte @Nullable [] value) {
    this(key, value, EncryptionState.NONE);
  }

  public boolean isDelete() {
    return value == null;
  }
}
