package dev.muster.server.authentication;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.Curve;
import dev.muster.authentication.Audiences;
import dev.muster.authentication.BearerToken;
import dev.muster.authentication.RefusedCredentials;
import dev.muster.authentication.jwt.JwtConfigurationReader;
import dev.muster.authentication.jwt.JwtIssuers;
import dev.muster.authentication.jwt.JwtObserver;
import dev.muster.model.User;
import dev.muster.server.egress.EgressConfiguration;
import dev.muster.server.egress.EgressConnection;
import dev.muster.server.egress.EgressSelector;
import dev.muster.server.egress.EgressType;
import dev.muster.server.proxy.Network;
import dev.muster.testing.ConnectProxy;
import dev.muster.testing.OpenIdProvider;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Groups that a token does not hold itself, and issuers behind a proxy. */
class DistributedClaimsTest {
  private static final String REFUSAL = "oidc: could not expand distributed claims: ";

  @TempDir private Path folder;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private OpenIdProvider provider;
  private OpenIdProvider directory;
  private JwtIssuers issuers;

  @BeforeEach
  void start() throws Exception {
    provider = OpenIdProvider.start(Files.createDirectory(folder.resolve("provider")));
    directory = OpenIdProvider.start(Files.createDirectory(folder.resolve("directory")));
    issuers = issuers("", ProviderEgress.none());
    issuers.find(threads);
    assertThat(issuers.problem()).isEmpty();
  }

  @AfterEach
  void stop() {
    provider.close();
    directory.close();
    threads.shutdownNow();
  }

  private JwtIssuers issuers(String egress, ProviderEgress ways) {
    var configuration =
        """
        apiVersion: apiserver.config.k8s.io/v1
        kind: AuthenticationConfiguration
        jwt:
        - issuer:
            url: %s
            audiences: [%s]
            egressSelectorType: "%s"
            certificateAuthority: |
        %s
          claimMappings:
            username: {claim: sub, prefix: "oidc:"}
            groups: {claim: groups, prefix: "g:"}
        """
            .formatted(
                provider.issuer(),
                OpenIdProvider.AUDIENCE,
                egress,
                (provider.authority() + directory.authority()).indent(6));
    return JwtIssuers.of(
        JwtConfigurationReader.read(configuration.getBytes(StandardCharsets.UTF_8)),
        new JwtIssuers.IssuerContext(
            JwtIssuers.ALGORITHMS,
            List.of("https://kubernetes.default.svc"),
            new Audiences(List.of("api")),
            new HttpsProviders(threads, ways),
            Instant::now,
            JwtObserver.NONE));
  }

  private User user(String token) {
    return requireNonNull(issuers.authenticate(new BearerToken(token), List.of())).user();
  }

  private AbstractThrowableAssert<?, ? extends Throwable> assertRefused(String token) {
    return assertThatThrownBy(() -> issuers.authenticate(new BearerToken(token), List.of()))
        .isInstanceOf(RefusedCredentials.class);
  }

  /** A token whose groups are known to whoever is there. */
  private String runOnCpuPool(String endpoint, String accessToken) {
    return provider.token(
        Map.of(
            "_claim_names", Map.of("groups", "src"),
            "_claim_sources",
                Map.of("src", Map.of("endpoint", endpoint, "access_token", accessToken))));
  }

  @Test
  void groupsAreFetchedFromWhoKnowsThem() {
    directory.answerClaims(directory.token(Map.of("groups", List.of("dev", "ops"))));
    var user = user(runOnCpuPool(directory.claimsUrl(), "f005ba11"));
    assertThat(user.name()).isEqualTo("oidc:jane");
    assertThat(user.groups()).containsExactly("g:dev", "g:ops", User.ALL_AUTHENTICATED);
    assertThat(directory.shownToken()).isEqualTo("Bearer f005ba11");
  }

  @Test
  void theIssuerItselfMayKnowThem() {
    provider.answerClaims(provider.token(Map.of("groups", "dev")));
    assertThat(user(runOnCpuPool(provider.claimsUrl(), "")).groups()).contains("g:dev");
    assertThat(provider.shownToken()).isEmpty();
  }

  @Test
  void whatTheTokenHoldsItselfCounts() {
    var token =
        provider.token(
            Map.of(
                "groups", List.of("own"),
                "_claim_names", Map.of("groups", "src"),
                "_claim_sources", Map.of("src", Map.of("endpoint", directory.claimsUrl()))));
    assertThat(user(token).groups()).containsExactly("g:own", User.ALL_AUTHENTICATED);
  }

  @Test
  void otherClaimsAreNotFetched() {
    var token =
        provider.token(
            Map.of(
                "_claim_names", Map.of("other", "src"),
                "_claim_sources", Map.of("src", Map.of("endpoint", "https://127.0.0.1:1/"))));
    assertThat(user(token).groups()).containsExactly(User.ALL_AUTHENTICATED);
  }

  @Test
  void anAnswerThatIsNotGoodLetsNobodyIn() {
    var token = runOnCpuPool(directory.claimsUrl(), "");
    var foreign =
        OpenIdProvider.sign(OpenIdProvider.ec(Curve.P_256), JWSAlgorithm.ES256, directory.claims());
    directory.answerClaims(foreign);
    assertRefused(token)
        .hasMessageContaining(REFUSAL + "verify distributed claim token: failed to verify");
    directory.answerClaims(directory.token(Map.of("aud", "other", "groups", "dev")));
    assertRefused(token).hasMessageContaining("oidc: expected audience");
    directory.answerClaims(directory.token(Map.of("exp", 1, "groups", "dev")));
    assertRefused(token).hasMessageContaining("token is expired");
    directory.answerClaims(directory.token(Map.of()));
    assertRefused(token).hasMessageContaining("did not contain claim: groups");
    directory.answerClaims("no token");
    assertRefused(token).hasMessageContaining("getting untrusted issuer from endpoint");
    directory.answerClaims(directory.token(Map.of("iss", "https://127.0.0.1:1", "groups", "dev")));
    assertRefused(token).hasMessageContaining("verifier not initialized for issuer");
    directory.answerClaims(directory.token(Map.of("iss", "http://127.0.0.1:1", "groups", "dev")));
    assertRefused(token).hasMessageContaining("it is no https URL");
    directory.end();
    assertRefused(token).hasMessageContaining("while getting distributed claim \"groups\"");
  }

  @Test
  void nobodyIsAskedInTheClear() {
    assertRefused(runOnCpuPool("http://127.0.0.1:1/claims", ""))
        .hasMessage(
            REFUSAL + "while getting distributed claim \"groups\": the endpoint is no https URL");
  }

  @Test
  void anAccessTokenIsNotTakenElsewhere() {
    provider.answerClaims(provider.token(Map.of("groups", "dev")));
    directory.redirectClaims(provider.claimsUrl());
    assertRefused(runOnCpuPool(directory.claimsUrl(), "f005ba11"))
        .hasMessageContaining("error while getting distributed claim JWT: 302");
    assertThat(provider.shownToken()).isEmpty();
  }

  @Test
  void sourcesThatMakeNoSenseLetNobodyIn() {
    assertRefused(provider.token(Map.of("_claim_names", "groups")))
        .hasMessageContaining(REFUSAL + "oidc: error parsing distributed claim names");
    assertRefused(provider.token(Map.of("_claim_names", Map.of("groups", "src"))))
        .hasMessage(REFUSAL + "oidc: no claim sources");
    assertRefused(
            provider.token(
                Map.of(
                    "_claim_names", Map.of("groups", "src"),
                    "_claim_sources", Map.of("other", Map.of("endpoint", "x")))))
        .hasMessage(
            REFUSAL + "id token _claim_names contained a source src missing in _claims_sources");
    assertRefused(
            provider.token(
                Map.of(
                    "_claim_names", Map.of("groups", "src"),
                    "_claim_sources", Map.of("src", Map.of("endpoint", 7)))))
        .hasMessageContaining("oidc: could not parse claim sources");
  }

  @Test
  void anIssuerBehindAProxyIsAskedThroughIt() throws Exception {
    try (var proxy = ConnectProxy.onTcp(null)) {
      var way =
          new EgressConnection.HttpConnect(
              new EgressConnection.Tcp("127.0.0.1", proxy.port(), null));
      var selector = new EgressSelector(new EgressConfiguration(Map.of(EgressType.CLUSTER, way)));
      try (var ways = ProviderEgress.of(selector, Network.SYSTEM, gate -> true)) {
        issuers = issuers("cluster", ways);
        issuers.find(threads);
        assertThat(issuers.problem()).isEmpty();
        assertThat(user(provider.token(Map.of("groups", "dev"))).groups()).contains("g:dev");
        assertThat(proxy.asked()).hasSize(2);
        directory.answerClaims(directory.token(Map.of("groups", "ops")));
        assertThat(user(runOnCpuPool(directory.claimsUrl(), "")).groups()).contains("g:ops");
        assertThat(proxy.asked()).hasSizeGreaterThan(2);
        assertThatThrownBy(() -> issuers("controlplane", ways))
            .hasMessage("oidc: egress lookup for \"controlplane\" is not configured");
      }
      var without = ProviderEgress.of(selector, Network.SYSTEM, gate -> false);
      assertThatThrownBy(() -> issuers("cluster", without))
          .hasMessageContaining("StructuredAuthenticationConfigurationEgressSelector");
    }
  }
}
