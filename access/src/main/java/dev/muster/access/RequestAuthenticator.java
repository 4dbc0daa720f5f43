package dev.muster.access;

import dev.muster.access.TokenAuthenticator.TokenUser;
import dev.muster.model.User;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Every way of authentication in its order: client certificate, then tokens; without any
 * credentials anonymous, if that is allowed. Safe for any thread. Wrong credentials are never
 * anonymous.
 */
public final class RequestAuthenticator implements Authenticator {
  private static final String INVALID_TOKEN = "invalid bearer token";

  private final List<TokenAuthenticator> tokens;
  private final boolean anonymous;

  public RequestAuthenticator(List<? extends TokenAuthenticator> tokens, boolean anonymous) {
    this.tokens = List.copyOf(tokens);
    this.anonymous = anonymous;
  }

  /** Whether who shows no credentials is somebody, too. */
  public boolean acceptsAnonymous() {
    return anonymous;
  }

  /** Who sends a request, as far as anybody here can tell. */
  public sealed interface Verdict {}

  public record Known(User user) implements Verdict {}

  /**
   * Wrong credentials.
   *
   * @param restsOnCluster whether a newer view of the cluster may take them
   */
  public record Refused(boolean restsOnCluster) implements Verdict {
    public ApiException answer() {
      return new ApiException(Reason.UNAUTHORIZED, "Unauthorized");
    }
  }

  /**
   * The user; never null.
   *
   * @throws ApiException 401 {@code Unauthorized}, whatever was wrong
   */
  @Override
  public User authenticate(Credentials credentials) {
    return switch (judge(credentials)) {
      case Known known -> known.user();
      case Refused refused -> throw refused.answer();
    };
  }

  public Verdict judge(Credentials credentials) {
    boolean refused = false;
    var certificate = credentials.certificate();
    if (certificate != null) {
      var user = certificate.user();
      if (user != null) {
        return new Known(user);
      }
      refused = certificate.isRefused();
    }
    var bearer = credentials.bearer();
    if (bearer != null && !tokens.isEmpty()) {
      return ofToken(bearer);
    }
    return anonymous && !refused ? new Known(User.ANONYMOUS) : new Refused(false);
  }

  private Verdict ofToken(Bearer bearer) {
    boolean restsOnCluster = false;
    for (var token : tokens) {
      try {
        var found = token.authenticate(bearer, List.of());
        if (found != null) {
          return new Known(found.user());
        }
      } catch (RefusedCredentials e) {
        // Another authenticator may still know the token; upstream tries them all, too.
        restsOnCluster |= e.restsOnCluster();
      }
    }
    return new Refused(restsOnCluster);
  }

  /**
   * What a TokenReview wants to know. The text counts as it would in a header: what is no token
   * there is from nobody in particular.
   *
   * @return null when that is not allowed
   * @throws RefusedCredentials when no authenticator takes the token, with all their reasons
   */
  public @Nullable TokenUser review(String text, List<String> audiences) {
    var sent = Credentials.bearerOf("Bearer " + text);
    if (sent == null) {
      return anonymous ? new TokenUser(User.ANONYMOUS, audiences) : null;
    }
    var bearer = new Bearer(sent);
    var reasons = new ArrayList<String>();
    reasons.add(INVALID_TOKEN);
    boolean restsOnCluster = false;
    for (var token : tokens) {
      try {
        var found = token.authenticate(bearer, audiences);
        if (found != null) {
          return found;
        }
      } catch (RefusedCredentials e) {
        restsOnCluster |= e.restsOnCluster();
        if (!reasons.contains(e.why())) {
          reasons.add(e.why());
        }
      }
    }
    throw RefusedCredentials.all(
        reasons.size() == 1 ? reasons.getFirst() : "[" + String.join(", ", reasons) + "]",
        restsOnCluster);
  }
}
