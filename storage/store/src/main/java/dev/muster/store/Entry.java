package dev.muster.store;

/** A key with its value, the revision that last wrote it, and how the value is stored. */
public record Entry(String key, byte[] value, long modRevision, EncryptionState sealing) {
  /** A value in the clear. */
  public Entry(String key, byte[] value, long modRevision) {
    this(key, value, modRevision, EncryptionState.NONE);
  }
}
