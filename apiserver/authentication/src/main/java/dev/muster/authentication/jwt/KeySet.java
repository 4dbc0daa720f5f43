package dev.muster.authentication.jwt;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.RSAKey;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The signature keys of an issuer's JSON Web Key Set (RFC 7517); other keys are dropped. Immutable.
 */
final class KeySet {
  static final KeySet EMPTY = new KeySet(List.of());

  /** The largest number of keys tried for a token that names no key. */
  private static final int MOST_TRIED = 64;

  private final List<JWK> keys;

  private KeySet(List<JWK> keys) {
    this.keys = keys;
  }

  /**
   * @throws IllegalArgumentException when the JSON is no key set
   */
  static KeySet parse(byte[] json) {
    try {
      var all = JWKSet.parse(new String(json, StandardCharsets.UTF_8)).getKeys();
      return new KeySet(all.stream().filter(KeySet::canSign).toList());
    } catch (ParseException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /** Symmetric keys are rejected: with one, every verifier could also sign. */
  private static boolean canSign(JWK key) {
    return (key instanceof RSAKey || key instanceof ECKey)
        && !KeyUse.ENCRYPTION.equals(key.getKeyUse());
  }

  int size() {
    return keys.size();
  }

  /**
   * Whether one of the keys signed the token; only the named key is tried if the token names one.
   */
  boolean hasSigned(JWSObject token) {
    var id = token.getHeader().getKeyID();
    return keys.stream()
        .filter(key -> id == null || id.isEmpty() || id.equals(key.getKeyID()))
        .limit(MOST_TRIED)
        .anyMatch(key -> hasSigned(key, token));
  }

  private static boolean hasSigned(JWK key, JWSObject token) {
    try {
      var verifier = verifier(key, token.getHeader().getAlgorithm());
      return verifier != null && token.verify(verifier);
    } catch (JOSEException | IllegalStateException e) {
      return false;
    }
  }

  /** Null when a key of this type cannot sign with that algorithm. */
  private static @Nullable JWSVerifier verifier(JWK key, JWSAlgorithm algorithm)
      throws JOSEException {
    return switch (key) {
      case RSAKey rsa when JWSAlgorithm.Family.RSA.contains(algorithm) ->
          new RSASSAVerifier(rsa.toRSAPublicKey());
      case ECKey ec when JWSAlgorithm.Family.EC.contains(algorithm) -> {
        var verifier = new ECDSAVerifier(ec.toECPublicKey());
        yield verifier.supportedJWSAlgorithms().contains(algorithm) ? verifier : null;
      }
      default -> null;
    };
  }
}
