package dev.muster.authentication;

import dev.muster.authentication.TokenAuthenticator.TokenUser;
import dev.muster.model.User;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The audiences of this server, which also apply to tokens that carry no audiences. Immutable. */
public record Audiences(List<String> own) {
  public Audiences {
    own = List.copyOf(own);
  }

  /**
   * The owner of a token without audiences, or null when none of the wanted audiences is this
   * server's.
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
