package dev.muster.registry.rules.core;

import java.io.ByteArrayOutputStream;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Private keys in the three forms in which they stand in PEM: PKCS #1, PKCS #8 and SEC 1. */
final class PrivateKeys {
  private static final int SEQUENCE = 0x30;
  private static final int OCTETS = 0x04;
  private static final int PARAMETERS = 0xa0;
  private static final byte[] VERSION = {0x02, 0x01, 0x00};

  /** 1.2.840.113549.1.1.1 without parameters. */
  private static final byte[] RSA = {
    0x06, 0x09, 0x2a, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05, 0
  };

  /** 1.2.840.10045.2.1, the parameters of which name a curve. */
  private static final byte[] ELLIPTIC = {
    0x06, 0x07, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 0x02, 0x01
  };

  private PrivateKeys() {}

  /** The key, or null when the bytes are none. */
  static @Nullable PrivateKey read(byte[] bytes) {
    var key = key("RSA", wrapped(RSA, bytes));
    for (var algorithm : new String[] {"RSA", "EC", "Ed25519"}) {
      key = key == null ? key(algorithm, bytes) : key;
    }
    var curve = key == null ? curve(bytes) : null;
    return curve == null ? key : key("EC", wrapped(joined(ELLIPTIC, curve), bytes));
  }

  private static @Nullable PrivateKey key(String algorithm, byte[] bytes) {
    try {
      return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(bytes));
    } catch (GeneralSecurityException e) {
      return null;
    }
  }

  /** PKCS #8 around the bytes of a key. */
  private static byte[] wrapped(byte[] algorithm, byte[] key) {
    return tagged(SEQUENCE, joined(VERSION, tagged(SEQUENCE, algorithm), tagged(OCTETS, key)));
  }

  private static byte[] tagged(int tag, byte[] content) {
    int length = content.length;
    var head =
        length < 0x80
            ? new byte[] {(byte) tag, (byte) length}
            : new byte[] {
              (byte) tag, (byte) 0x83, (byte) (length >> 16), (byte) (length >> 8), (byte) length
            };
    return joined(head, content);
  }

  private static byte[] joined(byte[]... parts) {
    var out = new ByteArrayOutputStream();
    for (var part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }

  /** The name of the curve in the SEC 1 form of a key: behind version and secret. */
  private static byte @Nullable [] curve(byte[] bytes) {
    int at = content(bytes, 0, SEQUENCE);
    at = at < 0 ? -1 : end(bytes, at, 0x02);
    at = at < 0 ? -1 : end(bytes, at, OCTETS);
    int from = at < 0 ? -1 : content(bytes, at, PARAMETERS);
    return from < 0 ? null : Arrays.copyOfRange(bytes, from, end(bytes, at, PARAMETERS));
  }

  /** Where the content of the value starts that starts there; -1 when it is another one. */
  private static int content(byte[] bytes, int at, int tag) {
    return end(bytes, at, tag) < 0 ? -1 : at + 2 + lengthBytes(bytes, at);
  }

  private static int lengthBytes(byte[] bytes, int at) {
    return bytes[at + 1] >= 0 ? 0 : bytes[at + 1] & 0x7f;
  }

  /** Where the value ends that starts there; -1 when it is another one, or cut off. */
  private static int end(byte[] bytes, int at, int tag) {
    if (at + 2 > bytes.length || (bytes[at] & 255) != tag) {
      return -1;
    }
    int more = lengthBytes(bytes, at);
    if (more > 3 || at + 2 + more > bytes.length) {
      return -1;
    }
    int length = more == 0 ? bytes[at + 1] : 0;
    for (int i = 0; i < more; i++) {
      length = length << 8 | (bytes[at + 2 + i] & 255);
    }
    int end = at + 2 + more + length;
    return end > bytes.length ? -1 : end;
  }
}
