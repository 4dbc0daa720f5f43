package dev.muster.authentication;

import dev.muster.authentication.TokenAuthenticator.TokenUser;
import dev.muster.authentication.TokenLookups.Found;
import dev.muster.authentication.TokenLookups.Unknown;
import dev.muster.model.User;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.types.scheduling.CpuTask;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Authenticates a request with all configured methods in order: client certificate, token
 * authenticators that never block, token lookups that may block, and anonymous if it is allowed.
 * Wrong credentials never fall back to anonymous. Thread-safe.
 */
public final class RequestAuthenticator {
  private static final String INVALID_TOKEN = "invalid bearer token";

  private final List<TokenAuthenticator> tokens;
  private final List<TokenLookups> lookups;
  private final AnonymousRequests anonymous;

  /**
   * @param tokens authenticators that never block
   * @param lookups authenticators that may block; asked when {@code tokens} do not know the token
   */
  public RequestAuthenticator(
      List<? extends TokenAuthenticator> tokens,
      List<TokenLookups> lookups,
      AnonymousRequests anonymous) {
    this.tokens = List.copyOf(tokens);
    this.lookups = List.copyOf(lookups);
    this.anonymous = anonymous;
  }

  /** An authenticator without blocking lookups. */
  public RequestAuthenticator(List<? extends TokenAuthenticator> tokens, boolean anonymous) {
    this(tokens, List.of(), AnonymousRequests.of(anonymous));
  }

  /** Whether anonymous requests are accepted on every path. */
  public boolean acceptsAnonymous() {
    return anonymous.allowed() && anonymous.paths().isEmpty();
  }

  /** The result of authenticating a request. */
  public sealed interface Verdict {}

  /**
   * The request has a user.
   *
   * @param annotations audit annotations about the credentials
   */
  public record Known(User user, Map<String, String> annotations) implements Verdict {
    public Known(User user) {
      this(user, Map.of());
    }
  }

  /**
   * The credentials are wrong.
   *
   * @param restsOnCluster whether a newer snapshot of the cluster may accept them
   * @param annotations audit annotations about the credentials
   */
  public record Refused(boolean restsOnCluster, Map<String, String> annotations)
      implements Verdict {
    public Refused(boolean restsOnCluster) {
      this(restsOnCluster, Map.of());
    }

    public ApiException answer() {
      return new ApiException(Reason.UNAUTHORIZED, "Unauthorized");
    }
  }

  /**
   * Authenticates a request. Never blocks; the future is already complete unless a lookup has to
   * ask a remote service.
   *
   * @param path of the request
   */
  public CompletableFuture<Verdict> evaluate(Credentials credentials, String path) {
    boolean refused = false;
    var certificate = credentials.certificate();
    if (certificate != null) {
      var user = certificate.user();
      if (user != null) {
        return CompletableFuture.completedFuture(new Known(user));
      }
      refused = certificate.isRefused();
    }
    var bearerToken = credentials.bearer();
    if (bearerToken != null && !(tokens.isEmpty() && lookups.isEmpty())) {
      return ofToken(bearerToken);
    }
    return CompletableFuture.completedFuture(
        !refused && anonymous.allows(path) ? new Known(User.ANONYMOUS) : new Refused(false));
  }

  private CompletableFuture<Verdict> ofToken(BearerToken bearerToken) {
    boolean restsOnCluster = false;
    var annotations = Map.<String, String>of();
    for (var token : tokens) {
      try {
        var found = token.authenticate(bearerToken, List.of());
        if (found != null) {
          return CompletableFuture.completedFuture(new Known(found.user(), found.annotations()));
        }
      } catch (RefusedCredentials e) {
        // Another authenticator may accept the token; upstream tries all of them, too.
        restsOnCluster |= e.restsOnCluster();
        annotations = annotations.isEmpty() ? e.annotations() : annotations;
      }
    }
    return lookUp(bearerToken, 0, new Refused(restsOnCluster, annotations));
  }

  private CompletableFuture<Verdict> lookUp(BearerToken bearerToken, int index, Refused otherwise) {
    if (index == lookups.size() || bearerToken.token().isEmpty()) {
      return CompletableFuture.completedFuture(otherwise);
    }
    return lookups
        .get(index)
        .find(bearerToken, List.of())
        .thenCompose(
            answer ->
                switch (answer) {
                  case Found found ->
                      CompletableFuture.completedFuture(new Known(found.owner().user()));
                  case Unknown ignored -> lookUp(bearerToken, index + 1, otherwise);
                });
  }

  /**
   * Authenticates the token of a TokenReview as if a request carried it in a header; text that is
   * no token is anonymous. Blocks while a lookup asks a remote service.
   *
   * @return null when anonymous requests are not allowed
   * @throws RefusedCredentials when no authenticator accepts the token, with all their reasons
   */
  public @Nullable TokenUser review(String text, List<String> audiences) {
    var sent = Credentials.bearerOf("Bearer " + text);
    if (sent == null) {
      return anonymous.allows("") ? new TokenUser(User.ANONYMOUS, audiences) : null;
    }
    var bearerToken = new BearerToken(sent);
    var reasons = new ArrayList<String>();
    reasons.add(INVALID_TOKEN);
    boolean restsOnCluster = false;
    for (var token : tokens) {
      try {
        var found = token.authenticate(bearerToken, audiences);
        if (found != null) {
          return found;
        }
      } catch (RefusedCredentials e) {
        restsOnCluster |= e.restsOnCluster();
        add(e, reasons);
      }
    }
    for (var lookup : lookups) {
      switch (await(lookup.find(bearerToken, audiences))) {
        case Found found -> {
          return found.owner();
        }
        case Unknown unknown -> {
          var why = unknown.why();
          if (why != null) {
            add(why, reasons);
          }
        }
      }
    }
    throw RefusedCredentials.all(
        reasons.size() == 1 ? reasons.getFirst() : "[" + String.join(", ", reasons) + "]",
        restsOnCluster);
  }

  private static TokenLookups.Answer await(CompletableFuture<TokenLookups.Answer> answer) {
    try (var _ = CpuTask.waiting()) {
      return answer.join();
    }
  }

  private static void add(RefusedCredentials refusal, List<String> reasons) {
    if (!reasons.contains(refusal.why())) {
      reasons.add(refusal.why());
    }
  }
}
