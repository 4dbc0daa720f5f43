package dev.muster.access;

import dev.muster.model.User;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Says whose a bearer token is. Safe for any thread; never blocks. */
public interface TokenAuthenticator {
  /**
   * The user, or null when the token is not one of this authenticator's.
   *
   * @param audiences whom the token must be meant for; empty for the server itself
   * @throws RefusedCredentials when the token is one of ours and wrong, expired or revoked
   */
  @Nullable TokenUser authenticate(Bearer bearer, List<String> audiences);

  /**
   * The owner of a token.
   *
   * @param audiences those of the asked ones that the token is meant for; empty when the token
   *     knows no audiences
   */
  record TokenUser(User user, List<String> audiences) {}
}
