package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.server.flags.FlagException;
import dev.muster.server.options.ApiServerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuthenticationFlagsTest {
  private static final String TOGETHER =
      "oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set";

  @TempDir private Path folder;

  private static ApiServerOptions read(Map<String, List<String>> flags) {
    return ApiServerFlags.read(flags, ApiServerOptions.defaults()).server();
  }

  private static void assertRefused(Map<String, List<String>> flags, String message) {
    assertThatThrownBy(() -> read(flags))
        .isInstanceOf(FlagException.class)
        .hasMessageContaining(message);
  }

  private String file(String rest) throws IOException {
    var content =
        "apiVersion: apiserver.config.k8s.io/v1beta1\nkind: AuthenticationConfiguration\n" + rest;
    return Files.writeString(folder.resolve("authn.yaml"), content).toString();
  }

  @Test
  void oneProviderIsNamedByFlags() {
    var oidc =
        read(Map.of(
                "oidc-issuer-url", List.of("https://a"),
                "oidc-client-id", List.of("x"),
                "oidc-required-claim", List.of("a=b", "c=d=e"),
                "oidc-signing-algs", List.of("RS256,ES384")))
            .authentication()
            .oidc();
    assertThat(oidc.required()).isEqualTo(Map.of("a", "b", "c", "d=e"));
    assertThat(oidc.signingAlgorithms()).containsExactly("RS256", "ES384");
    assertThat(oidc.usernameClaim()).isEqualTo("sub");
  }

  @Test
  void aProviderNeedsAnIssuerAndAClient() {
    assertRefused(Map.of("oidc-issuer-url", List.of("https://a")), TOGETHER);
    assertRefused(Map.of("oidc-client-id", List.of("x")), TOGETHER);
    assertRefused(Map.of("oidc-username-claim", List.of("sub")), TOGETHER);
    assertRefused(Map.of("oidc-groups-claim", List.of("g")), TOGETHER);
    assertRefused(
        Map.of("oidc-signing-algs", List.of("HS256")), "oidc: unsupported signing alg: \"HS256\"");
    assertRefused(
        Map.of("oidc-required-claim", List.of("a")), "malformed pair, expect string=string");
  }

  @Test
  void aFileStandsAlone() throws IOException {
    var file = file("");
    assertThat(read(Map.of("authentication-config", List.of(file))).authentication())
        .satisfies(found -> assertThat(found.configurationFile()).isEqualTo(Path.of(file)));
    assertRefused(
        Map.of("authentication-config", List.of(file), "oidc-username-claim", List.of("sub")),
        "authentication-config file and oidc-* flags are mutually exclusive");
    file("anonymous: {enabled: false}");
    assertRefused(
        Map.of("authentication-config", List.of(file), "anonymous-auth", List.of("true")),
        "--anonymous-auth flag cannot be set when anonymous field is configured");
  }

  @Test
  void aFileThatIsWrongIsRefusedBeforeAnythingStarts() throws IOException {
    var flags = Map.of("authentication-config", List.of(file("jwt: [{}]")));
    assertRefused(
        flags, "invalid authentication configuration: [jwt[0].issuer.url: Required value");
    file("jwts: []");
    assertRefused(flags, "strict decoding error: unknown field \"jwts\"");
    assertRefused(
        Map.of(
            "authentication-config",
            List.of(
                file(
                    "jwt: [{issuer: {url: 'https://own', audiences: [x]}, claimMappings: {username:"
                        + " {claim: a, prefix: ''}}}]")),
            "service-account-issuer",
            List.of("https://own")),
        "URL must not overlap with disallowed issuers: [https://own]");
  }

  @Test
  void webhooksAreAskedInVersionsThatExist() {
    assertRefused(
        Map.of("authentication-token-webhook-version", List.of("v2")),
        "unsupported authentication webhook version \"v2\"");
    var webhook = read(Map.of()).authentication().webhook();
    assertThat(webhook.version()).isEqualTo("v1beta1");
    assertThat(webhook.cacheTtl()).hasMinutes(2);
  }

  @Test
  void issuersOfServiceAccountsAreDistinct() {
    assertRefused(
        Map.of("service-account-issuer", List.of("https://a", "https://a")),
        "service-account-issuer \"https://a\" is already specified");
    assertRefused(
        Map.of("service-account-jwks-uri", List.of("http://a")),
        "service-account-jwks-uri requires https scheme");
  }
}
