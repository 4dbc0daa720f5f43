package dev.muster.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.testing.OpenIdProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;

/** A real kubectl with the token of an OpenID provider. */
class KubectlWithOpenIdTest {
  @TempDir private Path folder;

  @KubectlTest(from = "1.28", newest = true)
  void isWhoTheProviderSaysAndMayWhatRolesSay(Path program) throws Exception {
    try (var provider = OpenIdProvider.start(folder)) {
      var file = Files.writeString(folder.resolve("authn.yaml"), configuration(provider));
      try (var server =
          ServerInProcess.start(
              folder,
              List.of(),
              options ->
                  options.withAuthentication(
                      options.authentication().withConfigurationFile(file)))) {
        var admin = new Kubectl(program, server.kubeconfig());
        var token = provider.token(Map.of("groups", List.of("dev")));
        await()
            .atMost(Duration.ofSeconds(60))
            .until(() -> admin.run("--token=" + token, "auth", "whoami").code() == 0);
        assertThat(admin.succeed("--token=" + token, "auth", "whoami", "-o", "json"))
            .contains("\"oidc:jane\"", "\"oidc:dev\"", "\"system:authenticated\"");
        assertThat(admin.run("--token=" + token, "get", "namespaces").err())
            .contains("User \"oidc:jane\" cannot list resource \"namespaces\"");
        admin.succeed(
            "create", "clusterrolebinding", "dev", "--clusterrole=view", "--group=oidc:dev");
        assertThat(admin.succeed("--token=" + token, "get", "namespaces")).contains("kube-system");
        assertThat(admin.run("--token=" + provider.token(Map.of("aud", "x")), "get", "pods").err())
            .contains("You must be logged in to the server (Unauthorized)");
      }
    }
  }

  private static String configuration(OpenIdProvider provider) {
    return """
    apiVersion: apiserver.config.k8s.io/v1
    kind: AuthenticationConfiguration
    jwt:
    - issuer:
        url: %s
        audiences: [kubernetes]
        certificateAuthority: |
    %s
      claimMappings:
        username: {expression: "'oidc:' + claims.sub"}
        groups: {expression: "claims.groups.map(g, 'oidc:' + g)"}
      userValidationRules:
      - {expression: "!user.username.startsWith('system:')", message: reserved}
    """
        .formatted(provider.issuer(), provider.authority().indent(6));
  }
}
