package dev.muster.store.encrypted.transform;

import org.jspecify.annotations.Nullable;

/**
 * Encrypts values for the store and decrypts stored values. Thread-safe.
 *
 * <p>The key under which a value is stored authenticates it: where the encryption supports this, a
 * value that was copied to another key cannot be decrypted there.
 */
public interface Transformer {

  /**
   * Encrypts a value for the store.
   *
   * @param path the key of the value, with its prefix
   */
  byte[] toStorage(byte[] value, byte[] path) throws TransformException;

  /**
   * Decrypts a stored value.
   *
   * @param stored the stored bytes; the transformer reads them from the offset on
   */
  Opened fromStorage(byte[] stored, int offset, byte[] path) throws TransformException;

  /**
   * Identifies the current way to encrypt. A value whose {@link Opened#by} is equal needs no
   * rewrite. Null while the transformer cannot encrypt.
   */
  @Nullable String writer();

  /**
   * A decrypted value, and an identifier of how it was encrypted.
   *
   * @param by differs between any two ways to encrypt a value
   */
  record Opened(byte[] value, String by) {
    /** This value, as decrypted by a transformer inside another one. */
    Opened within(String outer) {
      return new Opened(value, outer + by);
    }
  }
}
