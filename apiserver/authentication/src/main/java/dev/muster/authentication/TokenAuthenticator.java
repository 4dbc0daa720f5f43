package dev.muster.authentication;

import dev.muster.model.User;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Says whose a bearer token is. Safe for any thread; never blocks. */
public interface TokenAuthenticator {
  /**
   * The user, or null when the token is not one of this authenticator's.
   *
   * @param audiences whom the token must be meant for; empty for the server itself
   * @throws RefusedCredentials when the token is one of ours and wrong, expired or revoked
   */
  @Nullable TokenUser authenticate(BearerToken bearerToken, List<String> audiences);

  /**
   * The owner of a token.
   *
   * @param audiences those of the asked ones that the token is meant for; empty when the token
   *     knows no audiences
   * @param annotations what the audit log says about the token
   */
  record TokenUser(User user, List<String> audiences, Map<String, String> annotations) {
    public TokenUser(User user, List<String> audiences) {
      this(user, audiences, Map.of());
    }
  }
}
