package dev.muster.authentication;

import dev.muster.authentication.TokenAuthenticator.TokenUser;
import dev.muster.model.User;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whom tokens are good for that say nothing about it themselves: this server. Immutable. */
public record Audiences(List<String> own) {
  public Audiences {
    own = List.copyOf(own);
  }

  /**
   * The owner of such a token, or null when somebody else is asked for.
   *
   * @param wanted empty for this server
   */
  public @Nullable TokenUser limit(User user, List<String> wanted) {
    if (wanted.isEmpty()) {
      return new TokenUser(user, own);
    }
    var good = own.stream().filter(wanted::contains).toList();
    return good.isEmpty() ? null : new TokenUser(user, good);
  }
}
