package dev.muster.store.encrypted.transform;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import java.util.HexFormat;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;

/** Helpers that the AES transformers share. */
final class Aes {
  static final String TOO_SHORT = "the stored data was shorter than the required size";

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int FINGERPRINT = 8;

  private Aes() {}

  /** An array of random bytes. */
  static byte[] random(int length) {
    var bytes = new byte[length];
    RANDOM.nextBytes(bytes);
    return bytes;
  }

  static Cipher cipher(String name, int mode, SecretKeySpec key, AlgorithmParameterSpec parameters)
      throws GeneralSecurityException {
    var cipher = Cipher.getInstance(name);
    cipher.init(mode, key, parameters);
    return cipher;
  }

  /** Identifies a key, in memory only. */
  static String fingerprint(byte[] key) {
    try {
      var digest = MessageDigest.getInstance("SHA-256").digest(key);
      return HexFormat.of().formatHex(digest, 0, FINGERPRINT);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
