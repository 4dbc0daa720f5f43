package dev.muster.store.encrypted.transform;

import java.util.Arrays;

/**
 * XSalsa20 and Poly1305 with a random nonce of 24 bytes before the ciphertext, like NaCl's
 * secretbox. The path is not authenticated.
 */
public final class SecretBox implements Transformer {
  private static final int NONCE = 24;

  private final byte[] key;
  private final String writer;

  /**
   * @param key 32 bytes
   */
  public SecretBox(byte[] key) {
    if (key.length != XSalsa20.KEY) {
      throw new IllegalArgumentException(
          "expected key size 32 for secretbox provider, got " + key.length);
    }
    this.key = key.clone();
    this.writer = Aes.fingerprint(key);
  }

  @Override
  public byte[] toStorage(byte[] value, byte[] path) {
    return seal(value, Aes.random(NONCE));
  }

  /** The nonce, the tag and the ciphertext. */
  byte[] seal(byte[] value, byte[] nonce) {
    var stored = Arrays.copyOf(nonce, NONCE + Poly1305.TAG + value.length);
    System.arraycopy(value, 0, stored, NONCE + Poly1305.TAG, value.length);
    var oneTimeKey = new XSalsa20(key, nonce, 0).apply(stored, NONCE + Poly1305.TAG);
    var tag = Poly1305.tag(oneTimeKey, stored, NONCE + Poly1305.TAG);
    System.arraycopy(tag, 0, stored, NONCE, Poly1305.TAG);
    return stored;
  }

  @Override
  public Opened fromStorage(byte[] stored, int offset, byte[] path) throws TransformException {
    int body = offset + NONCE + Poly1305.TAG;
    if (stored.length < body) {
      throw new TransformException(Aes.TOO_SHORT);
    }
    var stream = new XSalsa20(key, stored, offset);
    if (!Poly1305.isTag(stream.oneTimeKey(), stored, body, offset + NONCE)) {
      throw new TransformException("message authentication failed");
    }
    var value = Arrays.copyOfRange(stored, body, stored.length);
    stream.apply(value, 0);
    return new Opened(value, writer);
  }

  @Override
  public String writer() {
    return writer;
  }
}
