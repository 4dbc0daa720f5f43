package dev.muster.authentication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.User;
import dev.muster.model.status.ApiException;
import dev.muster.pki.Authority;
import dev.muster.pki.Identity;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RequestAuthenticatorTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Duration YEAR = Duration.ofDays(365);

  private final Authority authority = Authority.create("ca", NOW, YEAR);
  private final ClientCertificates certificates =
      new ClientCertificates(List.of(authority.certificate()), () -> NOW);
  private final StaticTokens tokens = StaticTokens.parse("secret,jane,u1", "t.csv", List.of("api"));
  private final RequestAuthenticator authenticator =
      new RequestAuthenticator(List.of(tokens), true);

  private Credentials with(@Nullable String token, Identity identity) {
    return new Credentials(
        token == null ? null : new BearerToken(token), certificates.verify(identity.chain()));
  }

  private static Credentials with(String token) {
    return new Credentials(new BearerToken(token), null);
  }

  private static User user(RequestAuthenticator authenticator, Credentials credentials) {
    return switch (authenticator.evaluate(credentials, "/api").join()) {
      case RequestAuthenticator.Known known -> known.user();
      case RequestAuthenticator.Refused refused -> throw refused.answer();
    };
  }

  private static void assertUnauthorized(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(ApiException.class)
        .hasMessage("Unauthorized")
        .extracting(e -> ((ApiException) e).code())
        .isEqualTo(401);
  }

  @Test
  void noCredentialsAreAnonymousIfThatIsAllowed() {
    assertThat(user(authenticator, Credentials.NONE)).isEqualTo(User.ANONYMOUS);
    var strict = new RequestAuthenticator(List.of(tokens), false);
    assertUnauthorized(() -> user(strict, Credentials.NONE));
  }

  @Test
  void wrongCredentialsAreNeverAnonymous() {
    assertUnauthorized(() -> user(authenticator, with("wrong")));
    var other = Authority.create("ca", NOW, YEAR).client("joe", List.of(), NOW, YEAR);
    assertUnauthorized(() -> user(authenticator, with(null, other)));
  }

  @Test
  void aCertificateGoesBeforeAToken() {
    var joe = authority.client("joe", List.of(), NOW, YEAR);
    assertThat(user(authenticator, with("secret", joe)).name()).isEqualTo("joe");
    assertThat(user(authenticator, with("wrong", joe)).name()).isEqualTo("joe");
    var other = Authority.create("ca", NOW, YEAR).client("joe", List.of(), NOW, YEAR);
    assertThat(user(authenticator, with("secret", other)).name()).isEqualTo("jane");
  }

  @Test
  void aReviewGivesEveryReason() {
    assertThatThrownBy(() -> authenticator.review("wrong", List.of()))
        .isInstanceOf(RefusedCredentials.class)
        .hasMessage("invalid bearer token");
    TokenAuthenticator picky =
        (token, audiences) -> {
          throw new RefusedCredentials("too old");
        };
    assertThatThrownBy(
            () -> new RequestAuthenticator(List.of(tokens, picky), true).review("wrong", List.of()))
        .hasMessage("[invalid bearer token, too old]");
  }

  @Test
  void readsTheTokenAmongTheProtocolsOfAWebSocket() {
    var token = "base64url.bearer.authorization.k8s.io.c2VjcmV0";
    assertThat(Credentials.bearerOfWebSocket(List.of("v4.channel.k8s.io, " + token)))
        .isEqualTo("secret");
    assertThat(Credentials.bearerOfWebSocket(List.of(token, "v4.channel.k8s.io")))
        .isEqualTo("secret");
    assertThat(Credentials.bearerOfWebSocket(List.of("v4.channel.k8s.io"))).isNull();
    assertThat(Credentials.bearerOfWebSocket(List.of(token))).isEmpty();
    assertThat(Credentials.bearerOfWebSocket(List.of(token, token, "x"))).isEmpty();
    assertThat(
            Credentials.bearerOfWebSocket(List.of("base64url.bearer.authorization.k8s.io.!", "x")))
        .isEmpty();
    var empty = with("");
    assertUnauthorized(() -> user(authenticator, empty));
  }

  @Test
  void readsTheTokenOfAHeader() {
    assertThat(Credentials.bearerOf("Bearer abc")).isEqualTo("abc");
    assertThat(Credentials.bearerOf("  bearer abc trailing")).isEqualTo("abc");
    assertThat(Credentials.bearerOf("Basic abc")).isNull();
    assertThat(Credentials.bearerOf("Bearer ")).isNull();
    assertThat(Credentials.bearerOf("Bearer  abc")).isNull();
    assertThat(Credentials.isSpaced("Bearer  abc")).isTrue();
    assertThat(Credentials.isSpaced("Bearer abc  def")).isFalse();
    assertThat(Credentials.bearerOf("")).isNull();
    assertThat(Credentials.bearerOf(null)).isNull();
    assertThat(with("abc").toString()).doesNotContain("abc");
  }
}
