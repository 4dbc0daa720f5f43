package dev.muster.store.encrypted.kms;

/** Notices what happens between the server and its KMS plug-ins. Safe for any thread. */
public interface KmsObserver {
  /** Notices nothing. */
  KmsObserver NONE = new KmsObserver() {};

  /**
   * A call has ended.
   *
   * @param method the full name of the method, with slashes
   * @param code gRPC's word for how it ended
   */
  default void called(String provider, String method, String code, long nanos) {}

  /** A value was encrypted or decrypted with a key of that ID. */
  default void keyUsed(boolean toStorage, String provider, String keyId) {}

  /** The plug-in has said which key is in force. */
  default void keyFromStatus(String provider, String keyId) {}

  /** The plug-in has said something that is no ID of a key: "empty" or "too_long". */
  default void invalidKeyId(String provider, String problem) {}

  /** Seeds that are known in the clear. */
  default void sourcesKnown(String provider, int count) {}

  /** The plug-in must be asked for a seed. */
  default void sourceMissed() {}

  /** A new seed was made. */
  default void seedMade(long nanos) {}
}
