package dev.muster.store.encrypted.transform;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Stores values unencrypted. Refuses to read encrypted ones. */
public final class IdentityTransformer implements Transformer {
  /** The prefix of every encrypted value. */
  private static final byte[] ENCRYPTED = "k8s:enc:".getBytes(StandardCharsets.US_ASCII);

  @Override
  public byte[] toStorage(byte[] value, byte[] path) {
    return value;
  }

  @Override
  public Opened fromStorage(byte[] stored, int offset, byte[] path) throws TransformException {
    if (isEncrypted(stored)) {
      throw new TransformException("identity transformer tried to read encrypted data");
    }
    return new Opened(offset == 0 ? stored : Arrays.copyOfRange(stored, offset, stored.length), "");
  }

  public static boolean isEncrypted(byte[] stored) {
    return PrefixTransformers.startsWith(stored, 0, ENCRYPTED);
  }

  @Override
  public String writer() {
    return "";
  }
}
