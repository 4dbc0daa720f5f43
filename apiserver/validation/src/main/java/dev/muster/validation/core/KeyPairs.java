package dev.muster.validation.core;

import dev.muster.pki.PemBlock;
import dev.muster.pki.PrivateKeys;
import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.interfaces.RSAPrivateKey;
import java.security.interfaces.RSAPublicKey;
import java.util.Base64;
import java.util.List;

/** Checks that a certificate and a private key match, with the messages of Go's TLS package. */
final class KeyPairs {
  private KeyPairs() {}

  /** The error in two base64 texts of PEM; "" when they match. */
  static String problem(String certificate, String key) {
    var certificates = PemBlock.all(Base64.getDecoder().decode(certificate));
    var first =
        certificates.stream().filter(b -> b.type().equals("CERTIFICATE")).findFirst().orElse(null);
    if (first == null) {
      return missingCertificate(certificates);
    }
    var keys = PemBlock.all(Base64.getDecoder().decode(key));
    var privateKey =
        keys.stream()
            .filter(b -> b.type().equals("PRIVATE KEY") || b.type().endsWith(" PRIVATE KEY"))
            .findFirst()
            .orElse(null);
    if (privateKey == null) {
      return missingKey(keys);
    }
    PublicKey publicKey;
    try {
      publicKey =
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(first.bytes()))
              .getPublicKey();
    } catch (CertificateException e) {
      return "x509: malformed certificate";
    }
    var secret = PrivateKeys.read(privateKey.bytes());
    if (secret == null) {
      return "tls: failed to parse private key";
    }
    if (!type(secret).equals(type(publicKey))) {
      return "tls: private key type does not match public key type";
    }
    return belong(publicKey, secret) ? "" : "tls: private key does not match public key";
  }

  private static String type(Key key) {
    return key.getAlgorithm().startsWith("Ed") ? "EdDSA" : key.getAlgorithm();
  }

  private static String missingCertificate(List<PemBlock> found) {
    if (found.isEmpty()) {
      return "tls: failed to find any PEM data in certificate input";
    }
    return found.size() == 1 && found.getFirst().type().endsWith("PRIVATE KEY")
        ? "tls: failed to find certificate PEM data in certificate input, but did find a private"
            + " key; PEM inputs may have been switched"
        : "tls: failed to find \"CERTIFICATE\" PEM block in certificate input after skipping PEM"
            + " blocks of the following types: "
            + types(found);
  }

  private static String missingKey(List<PemBlock> found) {
    if (found.isEmpty()) {
      return "tls: failed to find any PEM data in key input";
    }
    return found.size() == 1 && found.getFirst().type().equals("CERTIFICATE")
        ? "tls: found a certificate rather than a key in the PEM for the private key"
        : "tls: failed to find PEM block with type ending in \"PRIVATE KEY\" in key input after"
            + " skipping PEM blocks of the following types: "
            + types(found);
  }

  private static String types(List<PemBlock> found) {
    return "[" + String.join(" ", found.stream().map(PemBlock::type).toList()) + "]";
  }

  private static boolean belong(PublicKey publicKey, PrivateKey privateKey) {
    if (publicKey instanceof RSAPublicKey one && privateKey instanceof RSAPrivateKey other) {
      return one.getModulus().equals(other.getModulus());
    }
    try {
      var name =
          switch (publicKey.getAlgorithm()) {
            case "EC" -> "SHA256withECDSA";
            default -> publicKey.getAlgorithm();
          };
      var probe = BigInteger.TEN.toByteArray();
      var signer = Signature.getInstance(name);
      signer.initSign(privateKey);
      signer.update(probe);
      var signature = signer.sign();
      signer.initVerify(publicKey);
      signer.update(probe);
      return signer.verify(signature);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }
}
