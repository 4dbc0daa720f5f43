package dev.muster.authentication;

import dev.muster.model.User;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the user of a bearer token. Thread-safe. Never blocks, unless the implementation says so.
 */
public interface TokenAuthenticator {
  /**
   * The user, or null when the token does not belong to this authenticator.
   *
   * @param audiences the audiences that the token must have one of; empty for the server itself
   * @throws RefusedCredentials when the token belongs to this authenticator and is wrong, expired
   *     or revoked
   */
  @Nullable TokenUser authenticate(BearerToken bearerToken, List<String> audiences);

  /**
   * The user of a token.
   *
   * @param audiences the requested audiences that the token has; empty when the token carries no
   *     audiences
   * @param annotations audit annotations about the token
   */
  record TokenUser(User user, List<String> audiences, Map<String, String> annotations) {
    public TokenUser(User user, List<String> audiences) {
      this(user, audiences, Map.of());
    }
  }
}
