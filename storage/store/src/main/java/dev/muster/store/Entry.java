package dev.muster.store;

/** A key with its value, its mod revision, and how the store keeps the value. */
public record Entry(String key, byte[] value, long modRevision, EncryptionState sealing) {
  /** A value that is not encrypted. */
  public Entry(String key, byte[] value, long modRevision) {
    this(key, value, modRevision, EncryptionState.NONE);
  }
}
