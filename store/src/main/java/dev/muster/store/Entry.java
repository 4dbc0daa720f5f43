package dev.muster.store;

/** A key with its value, the revision that last wrote it, and how the value is stored. */
public record Entry(String key, byte[] value, long modRevision, Sealing sealing) {
  /** A value in the clear. */
  public Entry(String key, byte[] value, long modRevision) {
    this(key, value, modRevision, Sealing.NONE);
  }
}
