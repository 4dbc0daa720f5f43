package dev.muster.store.encrypted.kms;

/** Receives the events of KMS plug-ins, for metrics. Implementations are thread-safe. */
public interface KmsObserver {
  /** Ignores all events. */
  KmsObserver NONE = new KmsObserver() {};

  /**
   * A call has ended.
   *
   * @param method the full name of the method, with slashes
   * @param code the gRPC status code
   */
  default void called(String provider, String method, String code, long nanos) {}

  /** A value was encrypted or decrypted with a key of that ID. */
  default void keyUsed(boolean toStorage, String provider, String keyId) {}

  /** The plug-in has reported its current key. */
  default void keyFromStatus(String provider, String keyId) {}

  /** The plug-in has reported an invalid key ID: "empty" or "too_long". */
  default void invalidKeyId(String provider, String problem) {}

  /** The number of decrypted seeds in the cache. */
  default void sourcesKnown(String provider, int count) {}

  /** The cache does not have a seed, so the plug-in must decrypt it. */
  default void sourceMissed() {}

  /** A new seed was created. */
  default void seedMade(long nanos) {}
}
