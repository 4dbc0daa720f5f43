package dev.muster.authentication.jwt;

import dev.muster.model.json.JsonObject;
import dev.muster.wire.DecodeException;
import dev.muster.wire.JsonReader;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Decodes the claims of a token without verifying its signature. */
final class UnverifiedClaims {
  /** Longer than tokens of any provider, and longer than a header may be. */
  private static final int LONGEST = 64 * 1024;

  private UnverifiedClaims() {}

  /** Null when the text is no token in compact form. */
  static @Nullable JsonObject of(String token) {
    int first = token.indexOf('.');
    int second = token.indexOf('.', first + 1);
    if (first < 0
        || second < 0
        || token.indexOf('.', second + 1) >= 0
        || token.length() > LONGEST
        || !token.chars().allMatch(UnverifiedClaims::isCompact)) {
      return null;
    }
    try {
      var payload = Base64.getUrlDecoder().decode(token.substring(first + 1, second));
      return JsonReader.read(payload) instanceof JsonObject object ? object : null;
    } catch (IllegalArgumentException | DecodeException e) {
      return null;
    }
  }

  /** Stricter than the JWT library, which also accepts other encodings of the same bytes. */
  private static boolean isCompact(int c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '-'
        || c == '_'
        || c == '.';
  }
}
