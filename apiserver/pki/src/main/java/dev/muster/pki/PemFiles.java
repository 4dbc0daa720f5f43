package dev.muster.pki;

import dev.muster.model.FileProblems;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;

/**
 * Keys and certificates in files that users name. Every failure is an {@link
 * IllegalArgumentException} whose message is one line that names the file and says what is wrong
 * with it.
 */
public final class PemFiles {
  private static final int MOST_BYTES = 16 << 20;

  /** With this byte, keys and certificates in DER begin. */
  private static final byte DER_SEQUENCE = 0x30;

  private PemFiles() {}

  /**
   * The bytes of a file that holds something.
   *
   * @throws IllegalArgumentException when it is missing, empty, a folder, or cannot be read
   */
  public static byte[] content(Path file) {
    try {
      if (Files.exists(file) && !Files.isRegularFile(file)) {
        throw wrong(file, Files.isDirectory(file) ? " is a folder" : " is not a regular file");
      }
      byte[] bytes;
      try (var in = Files.newInputStream(file)) {
        bytes = in.readNBytes(MOST_BYTES + 1);
      }
      if (bytes.length > MOST_BYTES) {
        throw wrong(file, " is larger than 16 MiB");
      }
      if (new String(bytes, StandardCharsets.ISO_8859_1).isBlank()) {
        throw wrong(file, " is empty");
      }
      return bytes;
    } catch (IOException e) {
      throw new IllegalArgumentException(FileProblems.text(file, e), e);
    }
  }

  /** All certificates of a bundle, at least one. */
  public static List<X509Certificate> certificates(Path file) {
    var bytes = content(file);
    try {
      var found = Pem.certificates(new String(bytes, StandardCharsets.ISO_8859_1));
      if (!found.isEmpty()) {
        return found;
      }
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
    throw wrong(file, " holds no certificate" + instead(bytes));
  }

  /** The first private key, RSA or EC. */
  public static PrivateKey privateKey(Path file) {
    return keyPair(file).getPrivate();
  }

  /** The first private key with its public half. */
  public static KeyPair keyPair(Path file) {
    var bytes = content(file);
    var blocks = PemBlock.all(bytes);
    if (blocks.stream().noneMatch(PemBlock::isPrivateKey)) {
      throw wrong(file, " holds no private key" + instead(bytes));
    }
    try {
      return Pem.keyPair(new String(bytes, StandardCharsets.ISO_8859_1));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
  }

  /** Every public key, those of certificates and private keys included; at least one. */
  public static List<PublicKey> publicKeys(Path file) {
    var bytes = content(file);
    if (PemBlock.all(bytes).isEmpty()) {
      throw wrong(file, " holds no key" + instead(bytes));
    }
    try {
      return Pem.publicKeys(new String(bytes, StandardCharsets.ISO_8859_1));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
  }

  /** A certificate, those that follow it, and its key. */
  public static Identity identity(Path certificate, Path key) {
    var chain = certificates(certificate);
    var pair = keyPair(key);
    if (!belongTogether(chain.getFirst(), pair)) {
      throw wrong(key, " is not the key of the certificate in " + certificate);
    }
    return new Identity(pair.getPrivate(), chain);
  }

  /** Whether the key is that of the certificate. */
  public static boolean belongTogether(X509Certificate certificate, KeyPair key) {
    return Arrays.equals(canonical(key.getPublic()), canonical(certificate.getPublicKey()));
  }

  /** Libraries spell the same curve in several ways; the point or the modulus is the same. */
  private static byte[] canonical(PublicKey key) {
    return SubjectPublicKeyInfo.getInstance(key.getEncoded()).getPublicKeyData().getBytes();
  }

  /** What a file holds in place of what it should. */
  private static String instead(byte[] bytes) {
    var types =
        PemBlock.all(bytes).stream()
            .map(PemBlock::type)
            .distinct()
            .collect(Collectors.joining(", "));
    if (!types.isEmpty()) {
      return ", only " + types;
    }
    return bytes[0] == DER_SEQUENCE ? ": it is DER, not PEM" : ": it is not PEM";
  }

  private static IllegalArgumentException wrong(Path file, String problem) {
    return new IllegalArgumentException(file + problem);
  }
}
