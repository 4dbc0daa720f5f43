package dev.muster.store.encrypted;

import dev.muster.model.GroupResource;
import dev.muster.store.encrypted.kms.KmsObserver;

/** Receives the events of encryption, for metrics. Implementations are thread-safe. */
public interface EncryptionObserver extends KmsObserver {
  /** Ignores all events. */
  EncryptionObserver NONE = new EncryptionObserver() {};

  /**
   * A value was encrypted or decrypted, or the attempt failed.
   *
   * @param prefix the prefix of the provider's values
   * @param status OK, or the reason of the failure
   */
  default void transformed(
      GroupResource resource, boolean toStorage, String prefix, String status, long nanos) {}

  /**
   * A configuration took effect.
   *
   * @param hash the hash of its file
   */
  default void inForce(String hash) {}

  /** The file has changed, and the new configuration took effect or not. */
  default void reloaded(boolean succeeded) {}
}
