package dev.muster.access.pki;

import dev.muster.store.PrivateFiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
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
import java.util.Base64;
import java.util.List;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.jspecify.annotations.Nullable;

/** PEM text in and out: certificates, private and public keys in the forms that people have. */
public final class Pem {
  private Pem() {}

  /** All certificates of a bundle, in order. Other blocks in it are skipped. */
  public static List<X509Certificate> certificates(String pem) {
    try {
      var factory = CertificateFactory.getInstance("X.509");
      var found = new ArrayList<X509Certificate>();
      for (var block : blocks(pem, "CERTIFICATE")) {
        found.add((X509Certificate) factory.generateCertificate(new ByteArrayInputStream(block)));
      }
      return List.copyOf(found);
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException("not a certificate: " + e.getMessage(), e);
    }
  }

  /** The first private key, RSA or EC, in PKCS#8, PKCS#1 or SEC 1 form. */
  public static PrivateKey privateKey(String pem) {
    return privateKey(firstKey(pem));
  }

  /** The first private key with its public half, which is computed when the file lacks it. */
  public static KeyPair keyPair(String pem) {
    var found = firstKey(pem);
    var key = privateKey(found);
    try {
      return found.getPublicKeyInfo() == null
          ? GeneratedKeys.withPublicHalf(key)
          : new KeyPair(new JcaPEMKeyConverter().getPublicKey(found.getPublicKeyInfo()), key);
    } catch (IOException e) {
      throw new IllegalArgumentException("not a private key", e);
    }
  }

  private static PrivateKey privateKey(PEMKeyPair found) {
    try {
      var key = new JcaPEMKeyConverter().getPrivateKey(found.getPrivateKeyInfo());
      if (key instanceof RSAKey || key instanceof ECKey) {
        return key;
      }
    } catch (IOException e) {
      throw new IllegalArgumentException("not a private key", e);
    }
    throw new IllegalArgumentException("neither an RSA nor an EC key");
  }

  private static PEMKeyPair firstKey(String pem) {
    try (var parser = new PEMParser(new StringReader(pem))) {
      for (var block = parser.readObject(); block != null; block = parser.readObject()) {
        switch (block) {
          case PEMKeyPair pair -> {
            return pair;
          }
          case PrivateKeyInfo info -> {
            return new PEMKeyPair(null, info);
          }
          default -> {
            // EC PARAMETERS and certificates may stand in front of the key.
          }
        }
      }
    } catch (IOException e) {
      throw new IllegalArgumentException("not a private key", e);
    }
    throw new IllegalArgumentException("holds no private key");
  }

  /**
   * Every public key of a file: bare ones, those of certificates, and the public halves of private
   * keys.
   */
  public static List<PublicKey> publicKeys(String pem) {
    var found = new ArrayList<PublicKey>();
    try (var parser = new PEMParser(new StringReader(pem))) {
      var converter = new JcaPEMKeyConverter();
      for (var block = parser.readObject(); block != null; block = parser.readObject()) {
        switch (block) {
          case SubjectPublicKeyInfo info -> found.add(converter.getPublicKey(info));
          case X509CertificateHolder certificate ->
              found.add(converter.getPublicKey(certificate.getSubjectPublicKeyInfo()));
          case PEMKeyPair pair ->
              found.add(
                  GeneratedKeys.withPublicHalf(converter.getPrivateKey(pair.getPrivateKeyInfo()))
                      .getPublic());
          case PrivateKeyInfo info ->
              found.add(GeneratedKeys.withPublicHalf(converter.getPrivateKey(info)).getPublic());
          default -> {
            // Parameters that stand in front of a key.
          }
        }
      }
    } catch (IOException e) {
      throw new IllegalArgumentException("not a public key", e);
    }
    if (found.isEmpty()) {
      throw new IllegalArgumentException("holds neither a public nor a private key");
    }
    return List.copyOf(found);
  }

  public static String of(X509Certificate certificate) {
    try {
      return block("CERTIFICATE", certificate.getEncoded());
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
        : block("PRIVATE KEY", key.getEncoded());
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
      return block("EC PRIVATE KEY", sec1.getEncoded());
    } catch (IOException e) {
      throw new IllegalArgumentException(e);
    }
  }

  public static String of(PublicKey key) {
    return block("PUBLIC KEY", key.getEncoded());
  }

  public static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
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
      throw new UncheckedIOException(e);
    }
  }

  private static String block(String name, byte[] content) {
    var body =
        Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(content);
    return "-----BEGIN " + name + "-----\n" + body + "\n-----END " + name + "-----\n";
  }

  private static List<byte[]> blocks(String pem, String name) {
    var begin = "-----BEGIN " + name + "-----";
    var end = "-----END " + name + "-----";
    var found = new ArrayList<byte[]>();
    int at = pem.indexOf(begin);
    while (at >= 0) {
      int stop = pem.indexOf(end, at);
      if (stop < 0) {
        throw new IllegalArgumentException("a " + name + " block without its end");
      }
      found.add(Base64.getMimeDecoder().decode(pem.substring(at + begin.length(), stop).strip()));
      at = pem.indexOf(begin, stop);
    }
    return found;
  }
}
