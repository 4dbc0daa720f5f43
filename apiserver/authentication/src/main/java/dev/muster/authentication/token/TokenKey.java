package dev.muster.authentication.token;

import dev.muster.model.json.JsonObject;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.Arrays;
import java.util.Base64;

/**
 * A public key that verifies tokens, with its JOSE key ID and algorithm. Immutable.
 *
 * @param id derived from the key, so that every API server of a fleet computes the same one
 */
public record TokenKey(String id, Algorithm algorithm, PublicKey key) {
  private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

  /** The signing algorithm of a type of key. */
  public enum Algorithm {
    RS256("SHA256withRSA", "", 0),
    ES256("SHA256withECDSAinP1363Format", "P-256", 32),
    ES384("SHA384withECDSAinP1363Format", "P-384", 48),
    ES512("SHA512withECDSAinP1363Format", "P-521", 66);

    private final String signature;
    private final String curve;
    private final int bytes;

    Algorithm(String signature, String curve, int bytes) {
      this.signature = signature;
      this.curve = curve;
      this.bytes = bytes;
    }
  }

  public static TokenKey of(PublicKey key) {
    try {
      var digest = MessageDigest.getInstance("SHA-256").digest(key.getEncoded());
      return new TokenKey(BASE64.encodeToString(digest), algorithmOf(key), key);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this JVM has no SHA-256", e);
    }
  }

  private static Algorithm algorithmOf(PublicKey key) {
    return switch (key) {
      case RSAPublicKey rsa -> Algorithm.RS256;
      case ECPublicKey ec ->
          switch (ec.getParams().getCurve().getField().getFieldSize()) {
            case 256 -> Algorithm.ES256;
            case 384 -> Algorithm.ES384;
            case 521 -> Algorithm.ES512;
            default ->
                throw new IllegalArgumentException(
                    "unknown private key curve, must be 256, 384, or 521");
          };
      default -> throw new IllegalArgumentException("neither an RSA nor an EC key");
    };
  }

  boolean verifies(byte[] signed, byte[] signature) {
    try {
      var verifier = Signature.getInstance(algorithm.signature);
      verifier.initVerify(key);
      verifier.update(signed);
      return verifier.verify(signature);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  byte[] sign(PrivateKey privateKey, byte[] content) {
    try {
      var signer = Signature.getInstance(algorithm.signature);
      signer.initSign(privateKey);
      signer.update(content);
      return signer.sign();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot sign a token with " + algorithm, e);
    }
  }

  /** The key as a JSON Web Key (RFC 7517). */
  public JsonObject jwk() {
    var jwk = JsonObject.builder().put("use", "sig");
    switch (key) {
      case RSAPublicKey rsa ->
          jwk.put("kty", "RSA")
              .put("kid", id)
              .put("alg", algorithm.name())
              .put("n", number(rsa.getModulus(), 0))
              .put("e", number(rsa.getPublicExponent(), 0));
      case ECPublicKey ec ->
          jwk.put("kty", "EC")
              .put("kid", id)
              .put("crv", algorithm.curve)
              .put("alg", algorithm.name())
              .put("x", number(ec.getW().getAffineX(), algorithm.bytes))
              .put("y", number(ec.getW().getAffineY(), algorithm.bytes));
      default -> throw new IllegalStateException("neither an RSA nor an EC key");
    }
    return jwk.build();
  }

  /** A positive number in big-endian bytes, padded to the given length. */
  private static String number(BigInteger value, int least) {
    var bytes = value.toByteArray();
    int start = bytes.length > 1 && bytes[0] == 0 ? 1 : 0;
    int length = Math.max(bytes.length - start, least);
    var padded = new byte[length];
    var digits = Arrays.copyOfRange(bytes, start, bytes.length);
    System.arraycopy(digits, 0, padded, length - digits.length, digits.length);
    return BASE64.encodeToString(padded);
  }
}
