package dev.muster.store.encrypted.transform;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * AES-CBC with a random initialization vector of 16 bytes before the ciphertext, and PKCS#7
 * padding. It authenticates nothing: a client that can write to the store can change values
 * unnoticed.
 */
public final class AesCbc implements Transformer {
  private static final String NAME = "AES/CBC/NoPadding";
  private static final int BLOCK = 16;

  private final SecretKeySpec key;
  private final String writer;

  /**
   * @param key 16, 24 or 32 bytes
   */
  public AesCbc(byte[] key) {
    this.key = new SecretKeySpec(key, "AES");
    this.writer = Aes.fingerprint(key);
  }

  @Override
  public byte[] toStorage(byte[] value, byte[] path) throws TransformException {
    int padding = BLOCK - value.length % BLOCK;
    var padded = Arrays.copyOf(value, value.length + padding);
    Arrays.fill(padded, value.length, padded.length, (byte) padding);
    var vector = Aes.random(BLOCK);
    var stored = Arrays.copyOf(vector, BLOCK + padded.length);
    try {
      Aes.cipher(NAME, Cipher.ENCRYPT_MODE, key, new IvParameterSpec(vector))
          .doFinal(padded, 0, padded.length, stored, BLOCK);
      return stored;
    } catch (GeneralSecurityException e) {
      throw new TransformException("AES-CBC failed: " + e, TransformException.LOCAL, e);
    }
  }

  @Override
  public Opened fromStorage(byte[] stored, int offset, byte[] path) throws TransformException {
    int length = stored.length - offset - BLOCK;
    if (length < 0) {
      throw new TransformException(Aes.TOO_SHORT);
    }
    if (length % BLOCK != 0) {
      throw new TransformException("the stored data is not a multiple of the block size");
    }
    try {
      var vector = new IvParameterSpec(stored, offset, BLOCK);
      var padded =
          Aes.cipher(NAME, Cipher.DECRYPT_MODE, key, vector)
              .doFinal(stored, offset + BLOCK, length);
      return new Opened(Arrays.copyOf(padded, lengthWithoutPadding(padded)), writer);
    } catch (GeneralSecurityException e) {
      throw new TransformException("AES-CBC failed: " + e, TransformException.LOCAL, e);
    }
  }

  private static int lengthWithoutPadding(byte[] padded) throws TransformException {
    int padding = padded.length == 0 ? 0 : padded[padded.length - 1] & 0xff;
    if (padding == 0 || padding > padded.length) {
      throw new TransformException("invalid PKCS7 data (empty or not padded)");
    }
    for (int i = padded.length - padding; i < padded.length; i++) {
      if (padded[i] != (byte) padding) {
        throw new TransformException("invalid padding on input");
      }
    }
    return padded.length - padding;
  }

  @Override
  public String writer() {
    return writer;
  }
}
