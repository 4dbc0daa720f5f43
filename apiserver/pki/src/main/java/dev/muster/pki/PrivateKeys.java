package dev.muster.pki;

import java.io.IOException;
import java.security.KeyPair;
import java.security.PrivateKey;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.ASN1Sequence;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.pkcs.RSAPrivateKey;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.jspecify.annotations.Nullable;

/**
 * Private keys in the three forms in which they stand in PEM: PKCS #1, PKCS #8 and SEC 1. As in Go,
 * the bytes tell which one it is, whatever the block says it is.
 */
public final class PrivateKeys {
  static final AlgorithmIdentifier RSA =
      new AlgorithmIdentifier(PKCSObjectIdentifiers.rsaEncryption, DERNull.INSTANCE);

  /** A key, and the PKCS #8 form of it. */
  private record Found(PrivateKeyInfo info, PrivateKey key) {}

  private PrivateKeys() {}

  /** The key, or null when the bytes are none. */
  public static @Nullable PrivateKey read(byte[] bytes) {
    var found = find(bytes);
    return found == null ? null : found.key();
  }

  /** The RSA or EC key with its public half, or null when the bytes are none. */
  static @Nullable KeyPair readPair(byte[] bytes) {
    var found = find(bytes);
    return found == null ? null : pair(found);
  }

  private static @Nullable Found find(byte[] bytes) {
    try {
      var info = info(ASN1Sequence.getInstance(bytes));
      return new Found(info, new JcaPEMKeyConverter().getPrivateKey(info));
    } catch (IOException | RuntimeException noKey) {
      // Bouncy Castle has many ways to say that it expected something else.
      return null;
    }
  }

  /** What follows the version tells the form. */
  private static PrivateKeyInfo info(ASN1Sequence key) throws IOException {
    return switch (key.getObjectAt(1)) {
      case ASN1Integer _ -> new PrivateKeyInfo(RSA, RSAPrivateKey.getInstance(key));
      case ASN1OctetString _ -> sec1(ECPrivateKey.getInstance(key));
      default -> PrivateKeyInfo.getInstance(key);
    };
  }

  private static PrivateKeyInfo sec1(ECPrivateKey key) throws IOException {
    var curve = key.getParametersObject();
    var algorithm = new AlgorithmIdentifier(X9ObjectIdentifiers.id_ecPublicKey, curve);
    return new PrivateKeyInfo(algorithm, key);
  }

  /** On curves the public half is computed only when it does not stand beside the private one. */
  private static KeyPair pair(Found found) {
    try {
      var algorithm = found.info().getPrivateKeyAlgorithm();
      if (algorithm.getAlgorithm().equals(X9ObjectIdentifiers.id_ecPublicKey)) {
        var half = ECPrivateKey.getInstance(found.info().parsePrivateKey()).getPublicKey();
        if (half != null) {
          var info = new SubjectPublicKeyInfo(algorithm, half.getOctets());
          return new KeyPair(new JcaPEMKeyConverter().getPublicKey(info), found.key());
        }
      }
      return GeneratedKeys.withPublicHalf(found.key());
    } catch (IOException e) {
      throw new IllegalArgumentException("not a private key", e);
    }
  }
}
