package dev.muster.pki;

import dev.muster.model.FileProblems;
import dev.muster.store.PrivateFiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECKey;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.RSAKey;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.pkcs.RSAPublicKey;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.jspecify.annotations.Nullable;

/** PEM text in and out: certificates, private and public keys in the forms that people have. */
public final class Pem {
  private static final String CERTIFICATE = "CERTIFICATE";
  private static final String PUBLIC_KEY = "PUBLIC KEY";

  private Pem() {}

  /** All certificates of a bundle, in order. Other blocks in it are skipped. */
  public static List<X509Certificate> certificates(String pem) {
    var found =
        PemBlock.all(pem).stream()
            .filter(block -> block.type().equals(CERTIFICATE) && !block.hasHeaders())
            .map(Pem::certificate)
            .toList();
    if (found.size() < PemBlock.begun(pem, CERTIFICATE)) {
      throw new IllegalArgumentException("a " + CERTIFICATE + " block that cannot be read");
    }
    return found;
  }

  private static X509Certificate certificate(PemBlock block) {
    try {
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(block.bytes()));
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException("not a certificate: " + e.getMessage(), e);
    }
  }

  /**
   * The request for a certificate that is the first block.
   *
   * @throws IllegalArgumentException in Go's words when it is none
   */
  public static PKCS10CertificationRequest certificateRequest(byte[] pem) {
    var blocks = PemBlock.all(pem);
    if (blocks.isEmpty() || !blocks.getFirst().type().equals("CERTIFICATE REQUEST")) {
      throw new IllegalArgumentException("PEM block type must be CERTIFICATE REQUEST");
    }
    try {
      return new PKCS10CertificationRequest(blocks.getFirst().bytes());
    } catch (IOException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /** The first private key, RSA or EC, in PKCS#8, PKCS#1 or SEC 1 form. */
  public static PrivateKey privateKey(String pem) {
    var key = mustBeKey(PrivateKeys.read(firstKey(pem)));
    if (key instanceof RSAKey || key instanceof ECKey) {
      return key;
    }
    throw new IllegalArgumentException("neither an RSA nor an EC key");
  }

  /** The first private key with its public half, which is computed when the file lacks it. */
  public static KeyPair keyPair(String pem) {
    return mustBeKey(PrivateKeys.readPair(firstKey(pem)));
  }

  /** What the first private key is made of; other blocks may stand in front of it. */
  private static byte[] firstKey(String pem) {
    for (var block : PemBlock.all(pem)) {
      if (block.isPrivateKey()) {
        if (block.isEncrypted()) {
          throw new IllegalArgumentException("the private key is encrypted");
        }
        return block.bytes();
      }
    }
    throw new IllegalArgumentException("holds no private key");
  }

  private static <T> T mustBeKey(@Nullable T found) {
    if (found == null) {
      throw new IllegalArgumentException("not a private key");
    }
    return found;
  }

  /**
   * Every public key of a file: bare ones, those of certificates, and the public halves of private
   * keys.
   */
  public static List<PublicKey> publicKeys(String pem) {
    var found = new ArrayList<PublicKey>();
    for (var block : PemBlock.all(pem)) {
      switch (block.type()) {
        case CERTIFICATE -> found.add(certificate(block).getPublicKey());
        case PUBLIC_KEY -> found.add(publicKey(SubjectPublicKeyInfo::getInstance, block));
        case "RSA PUBLIC KEY" -> found.add(publicKey(Pem::rsa, block));
        default -> {
          if (block.isPrivateKey() && !block.isEncrypted()) {
            found.add(mustBeKey(PrivateKeys.readPair(block.bytes())).getPublic());
          }
        }
      }
    }
    if (found.isEmpty()) {
      throw new IllegalArgumentException("holds neither a public nor a private key");
    }
    return List.copyOf(found);
  }

  private static PublicKey publicKey(
      Function<byte[], SubjectPublicKeyInfo> reader, PemBlock block) {
    try {
      return new JcaPEMKeyConverter().getPublicKey(reader.apply(block.bytes()));
    } catch (IOException | RuntimeException e) {
      throw new IllegalArgumentException("not a public key", e);
    }
  }

  private static SubjectPublicKeyInfo rsa(byte[] pkcs1) {
    try {
      return new SubjectPublicKeyInfo(PrivateKeys.RSA, RSAPublicKey.getInstance(pkcs1));
    } catch (IOException e) {
      throw new IllegalArgumentException(e);
    }
  }

  public static String of(X509Certificate certificate) {
    try {
      return text(CERTIFICATE, certificate.getEncoded());
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException(e);
    }
  }

  public static String of(List<X509Certificate> chain) {
    var text = new StringBuilder();
    chain.forEach(certificate -> text.append(of(certificate)));
    return text.toString();
  }

  /** SEC 1 for elliptic curves, by which Java clients of Kubernetes know them; else PKCS#8. */
  public static String of(PrivateKey key) {
    return key instanceof ECPrivateKey curve
        ? sec1(curve, null)
        : text("PRIVATE KEY", key.getEncoded());
  }

  /** A key in PEM with its public half, where the form has room for it. */
  public static String of(KeyPair pair) {
    return pair.getPrivate() instanceof ECPrivateKey curve
        ? sec1(curve, SubjectPublicKeyInfo.getInstance(pair.getPublic().getEncoded()))
        : of(pair.getPrivate());
  }

  private static String sec1(ECPrivateKey key, @Nullable SubjectPublicKeyInfo half) {
    try {
      var info = PrivateKeyInfo.getInstance(key.getEncoded());
      var sec1 =
          new org.bouncycastle.asn1.sec.ECPrivateKey(
              key.getParams().getOrder().bitLength(),
              key.getS(),
              half == null ? null : half.getPublicKeyData(),
              info.getPrivateKeyAlgorithm().getParameters());
      return text("EC PRIVATE KEY", sec1.getEncoded());
    } catch (IOException e) {
      throw new IllegalArgumentException(e);
    }
  }

  public static String of(PublicKey key) {
    return text(PUBLIC_KEY, key.getEncoded());
  }

  public static String read(Path file) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw FileProblems.unchecked(file, e);
    }
  }

  /**
   * Writes a file that only its owner may read; readers see the old content or the new one, never
   * half of it.
   */
  public static void write(Path file, String text) {
    try {
      PrivateFiles.write(file, text);
    } catch (IOException e) {
      throw FileProblems.unchecked(file, e);
    }
  }

  private static String text(String type, byte[] content) {
    return new PemBlock(type, false, content).text();
  }
}
