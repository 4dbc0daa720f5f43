package dev.muster.store.encrypted.transform;

import org.jspecify.annotations.Nullable;

/**
 * Encrypts values for the store and decrypts what stands there. Safe for use by many threads.
 *
 * <p>What authenticates a value is the key under which it is stored: a value that somebody copied
 * to another key cannot be read there, where the encryption takes notice of it at all.
 */
public interface Transformer {

  /**
   * The value as it is stored.
   *
   * @param path the key of the value, with its prefix
   */
  byte[] toStorage(byte[] value, byte[] path) throws TransformException;

  /**
   * What was encrypted.
   *
   * @param stored what is stored, of which this transformer reads what begins at the offset
   */
  Opened fromStorage(byte[] stored, int offset, byte[] path) throws TransformException;

  /**
   * Who writes now: what {@link Opened#by} says of a value that need not be written again; null
   * while nobody can write.
   */
  @Nullable String writer();

  /**
   * A value, and who had written it.
   *
   * @param by differs between any two ways to write a value
   */
  record Opened(byte[] value, String by) {
    /** This one, read by a transformer within others. */
    Opened within(String outer) {
      return new Opened(value, outer + by);
    }
  }
}
