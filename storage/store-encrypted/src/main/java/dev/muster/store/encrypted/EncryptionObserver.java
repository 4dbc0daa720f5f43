package dev.muster.store.encrypted;

import dev.muster.model.GroupResource;
import dev.muster.store.encrypted.kms.KmsObserver;

/** Notices what encryption does. Safe for any thread. */
public interface EncryptionObserver extends KmsObserver {
  /** Notices nothing. */
  EncryptionObserver NONE = new EncryptionObserver() {};

  /**
   * A value was encrypted or decrypted, or could not be.
   *
   * @param prefix how values of the provider begin
   * @param status OK, or why not
   */
  default void transformed(
      GroupResource resource, boolean toStorage, String prefix, String status, long nanos) {}

  /**
   * A configuration is in force.
   *
   * @param hash of its file
   */
  default void inForce(String hash) {}

  /** The file has changed, and is in force or not. */
  default void reloaded(boolean succeeded) {}
}
