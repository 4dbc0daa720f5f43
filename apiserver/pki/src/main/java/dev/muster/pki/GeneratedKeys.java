package dev.muster.pki;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.RSAPublicKeySpec;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.crypto.params.ECPrivateKeyParameters;
import org.bouncycastle.crypto.params.ECPublicKeyParameters;
import org.bouncycastle.crypto.util.PrivateKeyFactory;
import org.bouncycastle.crypto.util.SubjectPublicKeyInfoFactory;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;

/** Key pairs. */
public final class GeneratedKeys {
  private GeneratedKeys() {}

  /** For certificates and tokens: small, made at once, and fast to sign with. */
  public static KeyPair p256() {
    try {
      var generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JVM has no P-256", e);
    }
  }

  /** For people's certificates, which every client out there understands. */
  public static KeyPair rsa(int bits) {
    try {
      var generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(bits);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JVM has no RSA", e);
    }
  }

  /** The pair to which an RSA or EC private key belongs. */
  static KeyPair withPublicHalf(PrivateKey key) {
    try {
      return switch (key) {
        case RSAPrivateCrtKey rsa ->
            new KeyPair(
                KeyFactory.getInstance("RSA")
                    .generatePublic(
                        new RSAPublicKeySpec(rsa.getModulus(), rsa.getPublicExponent())),
                rsa);
        case ECPrivateKey ec -> {
          var scalar = (ECPrivateKeyParameters) PrivateKeyFactory.createKey(ec.getEncoded());
          var domain = scalar.getParameters();
          var point = domain.getG().multiply(scalar.getD()).normalize();
          SubjectPublicKeyInfo info =
              SubjectPublicKeyInfoFactory.createSubjectPublicKeyInfo(
                  new ECPublicKeyParameters(point, domain));
          yield new KeyPair(new JcaPEMKeyConverter().getPublicKey(info), ec);
        }
        default -> throw new IllegalArgumentException("neither an RSA nor an EC key");
      };
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalArgumentException("not a usable private key", e);
    }
  }
}
