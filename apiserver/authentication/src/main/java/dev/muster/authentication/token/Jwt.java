package dev.muster.authentication.token;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.wire.DecodeException;
import dev.muster.wire.JsonReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * A decoded service account token. Do not trust its claims before {@link #isSignedBy} returns true.
 *
 * @param signed the bytes that the signature covers
 */
record Jwt(JsonObject header, JsonObject claims, byte[] signed, byte[] signature) {
  private static final int LONGEST = 16 * 1024;

  /** Decodes a token in compact form; null when the text is no such token. */
  static @Nullable Jwt parse(String token) {
    int first = token.indexOf('.');
    int second = token.indexOf('.', first + 1);
    if (first < 0
        || second < 0
        || token.indexOf('.', second + 1) >= 0
        || token.length() > LONGEST) {
      return null;
    }
    try {
      var header = object(token.substring(0, first));
      var claims = object(token.substring(first + 1, second));
      if (header == null || claims == null) {
        return null;
      }
      return new Jwt(
          header,
          claims,
          token.substring(0, second).getBytes(StandardCharsets.US_ASCII),
          Base64.getUrlDecoder().decode(token.substring(second + 1)));
    } catch (IllegalArgumentException | DecodeException e) {
      return null;
    }
  }

  private static @Nullable JsonObject object(String part) {
    Json value = JsonReader.read(Base64.getUrlDecoder().decode(part));
    return value instanceof JsonObject object ? object : null;
  }

  /** Whether that key signed the token, with the algorithm of the key only. */
  boolean isSignedBy(TokenKey key) {
    return header.string("alg").equals(key.algorithm().name())
        && !header.has("crit")
        && key.verifies(signed, signature);
  }

  String issuer() {
    return claims.string("iss");
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Jwt jwt
        && Arrays.equals(jwt.signed, signed)
        && Arrays.equals(jwt.signature, signature);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(signature);
  }

  @Override
  public String toString() {
    return "a token of " + issuer();
  }
}
