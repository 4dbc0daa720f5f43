package dev.muster.store.encrypted.transform;

import java.security.GeneralSecurityException;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * AES-GCM with a random nonce of 12 bytes before the ciphertext and a tag of 16 bytes after it. It
 * also authenticates the path. NIST SP 800-38D allows 2^32 writes with one key.
 */
public final class AesGcm implements Transformer {
  private static final String NAME = "AES/GCM/NoPadding";
  private static final int NONCE = 12;
  private static final int TAG = 16;

  private final SecretKeySpec key;
  private final String writer;

  /**
   * @param key 16, 24 or 32 bytes
   */
  public AesGcm(byte[] key) {
    this(key, Aes.fingerprint(key));
  }

  AesGcm(byte[] key, String writer) {
    this.key = new SecretKeySpec(key, "AES");
    this.writer = writer;
  }

  @Override
  public byte[] toStorage(byte[] value, byte[] path) throws TransformException {
    return toStorage(value, path, 0);
  }

  /** Encrypts a value and leaves {@code head} bytes free before the nonce. */
  byte[] toStorage(byte[] value, byte[] path, int head) throws TransformException {
    var nonce = Aes.random(NONCE);
    var stored = new byte[head + NONCE + value.length + TAG];
    System.arraycopy(nonce, 0, stored, head, NONCE);
    try {
      var cipher = Aes.cipher(NAME, Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(TAG * 8, nonce));
      cipher.updateAAD(path);
      cipher.doFinal(value, 0, value.length, stored, head + NONCE);
      return stored;
    } catch (GeneralSecurityException e) {
      throw new TransformException("AES-GCM failed: " + e, TransformException.LOCAL, e);
    }
  }

  @Override
  public Opened fromStorage(byte[] stored, int offset, byte[] path) throws TransformException {
    int length = stored.length - offset - NONCE;
    if (length < 0) {
      throw new TransformException(Aes.TOO_SHORT);
    }
    try {
      var parameters = new GCMParameterSpec(TAG * 8, stored, offset, NONCE);
      var cipher = Aes.cipher(NAME, Cipher.DECRYPT_MODE, key, parameters);
      cipher.updateAAD(path);
      return new Opened(cipher.doFinal(stored, offset + NONCE, length), writer);
    } catch (AEADBadTagException e) {
      throw new TransformException(
          "cipher: message authentication failed", TransformException.LOCAL, e);
    } catch (GeneralSecurityException e) {
      throw new TransformException("AES-GCM failed: " + e, TransformException.LOCAL, e);
    }
  }

  @Override
  public String writer() {
    return writer;
  }
}
