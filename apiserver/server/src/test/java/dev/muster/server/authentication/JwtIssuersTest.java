package dev.muster.server.authentication;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.RSAKey;
import dev.muster.authentication.Audiences;
import dev.muster.authentication.BearerToken;
import dev.muster.authentication.RefusedCredentials;
import dev.muster.authentication.jwt.JwtConfigurationReader;
import dev.muster.authentication.jwt.JwtIssuers;
import dev.muster.authentication.jwt.JwtObserver;
import dev.muster.model.User;
import dev.muster.testing.OpenIdProvider;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tokens of a provider on a real socket, good ones and those of which one thing is wrong. */
class JwtIssuersTest {
  @TempDir private Path folder;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private OpenIdProvider provider;
  private JwtIssuers issuers;
  private Instant now = Instant.now();
  private int tries;

  @BeforeEach
  void start() {
    provider = OpenIdProvider.start(folder);
    issuers = issuers(JwtIssuers.ALGORITHMS);
    issuers.find(threads);
    assertThat(issuers.problem()).isEmpty();
  }

  @AfterEach
  void stop() {
    provider.close();
    threads.shutdownNow();
  }

  private JwtIssuers issuers(Set<String> algorithms) {
    var configuration =
        """
        apiVersion: apiserver.config.k8s.io/v1
        kind: AuthenticationConfiguration
        jwt:
        - issuer:
            url: %s
            audiences: [%s]
            certificateAuthority: |
        %s
          claimMappings:
            username: {claim: sub, prefix: "oidc:"}
            groups: {claim: groups, prefix: "g:"}
        """
            .formatted(provider.issuer(), OpenIdProvider.AUDIENCE, provider.authority().indent(6));
    return JwtIssuers.of(
        JwtConfigurationReader.read(configuration.getBytes(StandardCharsets.UTF_8)),
        new JwtIssuers.IssuerContext(
            algorithms,
            List.of("https://kubernetes.default.svc"),
            new Audiences(List.of("api")),
            new HttpsProviders(threads, ProviderEgress.none()),
            () -> now,
            JwtObserver.NONE));
  }

  private User user(String token) {
    return requireNonNull(issuers.authenticate(new BearerToken(token), List.of())).user();
  }

  private AbstractThrowableAssert<?, ? extends Throwable> assertRefused(String token) {
    return assertThatThrownBy(() -> issuers.authenticate(new BearerToken(token), List.of()))
        .isInstanceOf(RefusedCredentials.class);
  }

  @Test
  void aGoodTokenIsItsOwner() {
    var user = user(provider.token(Map.of("groups", List.of("a", "b"), "jti", "42")));
    assertThat(user.name()).isEqualTo("oidc:jane");
    assertThat(user.groups()).containsExactly("g:a", "g:b", User.ALL_AUTHENTICATED);
    assertThat(user.extra())
        .containsEntry("authentication.kubernetes.io/credential-id", List.of("JTI=42"));
  }

  @Test
  void isGoodForThisServersAudiencesOnly() {
    var token = new BearerToken(provider.token(Map.of()));
    assertThat(requireNonNull(issuers.authenticate(token, List.of("x", "api"))).audiences())
        .containsExactly("api");
    assertThat(issuers.authenticate(token, List.of("x"))).isNull();
  }

  @Test
  void tokensOfOthersAreNobodysHere() {
    assertThat(issuers.authenticate(new BearerToken("abc"), List.of())).isNull();
    assertThat(issuers.authenticate(new BearerToken("a.b.c"), List.of())).isNull();
    var foreign = provider.token(Map.of("iss", "https://elsewhere.example"));
    assertThat(issuers.authenticate(new BearerToken(foreign), List.of())).isNull();
    assertThat(provider.keyFetches()).isZero();
  }

  /** The fuzzer found that {@code +} counted as {@code -} in a signature. */
  @Test
  void aTokenIsWrittenInOneAlphabetOnly() {
    String token;
    do {
      token = provider.token(Map.of("jti", Integer.toString(++tries)));
    } while (token.indexOf('-', token.lastIndexOf('.')) < 0);
    assertThat(user(token).name()).isEqualTo("oidc:jane");
    assertThat(issuers.authenticate(new BearerToken(token.replace('-', '+')), List.of())).isNull();
    assertThat(issuers.authenticate(new BearerToken(token + "=="), List.of())).isNull();
  }

  @Test
  void aTokenForAnotherAudienceIsRefusedBeforeAnyKeyIsFetched() {
    assertRefused(provider.token(Map.of("aud", "other")))
        .hasMessage("oidc: verify token: oidc: expected audience \"kubernetes\" got [\"other\"]");
    assertRefused(provider.token(Map.of("aud", "")));
    assertRefused(provider.token(Map.of("aud", 7)));
    assertThat(provider.keyFetches()).isZero();
    assertThat(user(provider.token(Map.of("aud", List.of("x", "kubernetes")))).name())
        .isEqualTo("oidc:jane");
  }

  @Test
  void expiryCountsToTheSecond() {
    now = Instant.ofEpochSecond(1_800_000_000);
    assertThat(user(provider.token(Map.of("exp", now.getEpochSecond()))).name())
        .isEqualTo("oidc:jane");
    assertRefused(provider.token(Map.of("exp", now.getEpochSecond() - 1)))
        .hasMessageContaining(
            "oidc: token is expired (Token Expiry: 2027-01-15 07:59:59 +0000 UTC");
    assertRefused(provider.token(Map.of("exp", ""))).hasMessageContaining("token is expired");
    assertRefused(provider.token(Map.of("exp", "tomorrow"))).hasMessageContaining("exp is no time");
  }

  @Test
  void aTokenMayBeAMinuteTooYoung() {
    long soon = now.getEpochSecond();
    assertThat(user(provider.token(Map.of("nbf", soon + 59))).name()).isEqualTo("oidc:jane");
    assertRefused(provider.token(Map.of("nbf", soon + 62)))
        .hasMessageContaining("before the nbf (not before) time");
  }

  @Test
  void aTokenThatNobodySignedIsRefused() {
    var parts = provider.token(Map.of()).split("\\.", -1);
    var none = base64("{\"alg\":\"none\"}");
    assertRefused(none + "." + parts[1] + ".");
    assertRefused(none + "." + parts[1] + "." + parts[2]);
    assertRefused(parts[0] + "." + parts[1] + ".");
    assertRefused(parts[0] + "." + parts[1] + "." + parts[2].substring(4) + "AAAA");
  }

  @Test
  void aTokenWhoseClaimsWereChangedIsRefused() {
    var parts = provider.token(Map.of()).split("\\.", -1);
    var other = provider.token(Map.of("sub", "admin")).split("\\.", -1);
    assertRefused(parts[0] + "." + other[1] + "." + parts[2])
        .hasMessageContaining("failed to verify id token signature");
  }

  /** Whoever knows the public key, which is everybody, could sign with it as a password. */
  @Test
  void thePublicKeyIsNoPassword() throws JOSEException {
    var pem = provider.key().toRSAPublicKey().getEncoded();
    var header = new JWSHeader.Builder(JWSAlgorithm.HS256).keyID(provider.key().getKeyID()).build();
    var token = new JWSObject(header, new Payload(provider.claims()));
    token.sign(new MACSigner(pem));
    assertRefused(token.serialize()).hasMessageContaining("unsupported algorithm");
    var secret = new OctetSequenceKey.Builder(pem).keyID(provider.key().getKeyID()).build();
    provider.publish(List.of(secret));
    assertRefused(token.serialize());
  }

  @Test
  void otherAlgorithmsCountWhenTheyAreAllowed() {
    var ec = OpenIdProvider.ec(Curve.P_384);
    provider.publish(List.of(provider.key(), ec));
    assertThat(user(OpenIdProvider.sign(ec, JWSAlgorithm.ES384, provider.claims())).name())
        .isEqualTo("oidc:jane");
    var token = OpenIdProvider.sign(provider.key(), JWSAlgorithm.PS256, provider.claims());
    assertThat(user(token).name()).isEqualTo("oidc:jane");
    issuers = issuers(Set.of("RS256"));
    issuers.find(threads);
    assertRefused(token)
        .hasMessageContaining(
            "signed with unsupported algorithm, expected [\"RS256\"] got \"PS256\"");
  }

  @Test
  void aKeyForEncryptionSignsNothing() {
    var key = new RSAKey.Builder(provider.key()).keyUse(KeyUse.ENCRYPTION).build();
    provider.publish(List.of(key));
    assertRefused(provider.token(Map.of()));
  }

  @Test
  void aNewKeyIsFetchedAndAnInventedOneNotTooOften() {
    assertThat(user(provider.token(Map.of())).name()).isEqualTo("oidc:jane");
    var old = provider.token(Map.of());
    provider.rotate();
    now = now.plusSeconds(6);
    assertThat(user(provider.token(Map.of())).name()).isEqualTo("oidc:jane");
    assertThat(provider.keyFetches()).isEqualTo(2);
    assertRefused(old).hasMessageContaining("failed to verify id token signature");
    for (int i = 0; i < 20; i++) {
      var invented =
          OpenIdProvider.sign(
              OpenIdProvider.ec(Curve.P_256), JWSAlgorithm.ES256, provider.claims());
      assertRefused(invented);
    }
    assertThat(provider.keyFetches()).isEqualTo(2);
    now = now.plusSeconds(6);
    assertRefused(old);
    assertThat(provider.keyFetches()).isEqualTo(3);
  }

  @Test
  void keysThatWereFetchedOutliveTheProvider() {
    var token = provider.token(Map.of());
    assertThat(user(token).name()).isEqualTo("oidc:jane");
    provider.end();
    now = now.plus(Duration.ofMinutes(20));
    issuers.find(threads);
    assertThat(user(token).name()).isEqualTo("oidc:jane");
    var other = OpenIdProvider.sign(OpenIdProvider.rsa(), JWSAlgorithm.RS256, provider.claims());
    now = now.plusSeconds(6);
    assertRefused(other).hasMessageContaining("get keys failed");
  }

  @Test
  void aKeyThatWasWithdrawnIsForgottenAfterAWhile() {
    var token = provider.token(Map.of());
    assertThat(user(token).name()).isEqualTo("oidc:jane");
    provider.rotate();
    now = now.plus(Duration.ofMinutes(10));
    issuers.find(threads);
    assertRefused(token);
  }

  @Test
  void aProviderThatIsSomebodyElseIsNotBelieved() {
    provider.claimToBe("https://other.example");
    issuers = issuers(JwtIssuers.ALGORITHMS);
    issuers.find(threads);
    assertThat(issuers.problem())
        .contains("oidc: issuer did not match the issuer returned by provider, expected");
    assertRefused(provider.token(Map.of())).hasMessage("oidc: authenticator not initialized");
    provider.claimToBe(provider.issuer());
    issuers.find(threads);
    assertThat(user(provider.token(Map.of())).name()).isEqualTo("oidc:jane");
  }

  private static String base64(String text) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
