package dev.muster.store.encrypted.transform;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.KDF;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * AES-GCM with a separate key for each value: HKDF-SHA256 derives it from a seed and 32 random
 * bytes, which stand before the nonce. So one seed serves any number of writes.
 */
public final class ExtendedNonceGcm implements Transformer {
  /** The minimum length of a seed, and the length of new seeds. */
  public static final int SEED = 32;

  private static final int INFO = 32;
  private static final int KEY = 32;

  private final SecretKeySpec seed;
  private final String writer;

  public ExtendedNonceGcm(byte[] seed) throws TransformException {
    if (seed.length < SEED) {
      throw new TransformException(
          "invalid seed length " + seed.length + " used for key generation");
    }
    this.seed = new SecretKeySpec(seed, "Generic");
    this.writer = Aes.fingerprint(seed);
  }

  /** A new seed. */
  public static byte[] newSeed() {
    return Aes.random(SEED);
  }

  @Override
  public byte[] toStorage(byte[] value, byte[] path) throws TransformException {
    var info = Aes.random(INFO);
    var stored = gcm(info).toStorage(value, path, INFO);
    System.arraycopy(info, 0, stored, 0, INFO);
    return stored;
  }

  @Override
  public Opened fromStorage(byte[] stored, int offset, byte[] path) throws TransformException {
    if (stored.length - offset < INFO) {
      throw new TransformException(Aes.TOO_SHORT);
    }
    var gcm = gcm(Arrays.copyOfRange(stored, offset, offset + INFO));
    return gcm.fromStorage(stored, offset + INFO, path);
  }

  private AesGcm gcm(byte[] info) throws TransformException {
    try {
      var expanded =
          KDF.getInstance("HKDF-SHA256").deriveData(HKDFParameterSpec.expandOnly(seed, info, KEY));
      return new AesGcm(expanded, writer);
    } catch (GeneralSecurityException e) {
      throw new TransformException("HKDF failed: " + e, TransformException.LOCAL, e);
    }
  }

  @Override
  public String writer() {
    return writer;
  }
}
