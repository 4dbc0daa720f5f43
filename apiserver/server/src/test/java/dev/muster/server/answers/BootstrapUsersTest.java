package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.JsonObject;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bootstrap tokens, from the secret to the user. */
class BootstrapUsersTest {
  private static final String TOKEN = "abcdef.0123456789abcdef";
  private static final String SECRETS = "/api/v1/namespaces/kube-system/secrets";

  @TempDir private Path folder;

  private static JsonObject secret() {
    return JsonObject.of(
        "metadata",
        JsonObject.of("name", "bootstrap-token-abcdef"),
        "type",
        "bootstrap.kubernetes.io/token",
        "stringData",
        JsonObject.of(
            "token-id",
            "abcdef",
            "token-secret",
            "0123456789abcdef",
            "usage-bootstrap-authentication",
            "true",
            "auth-extra-groups",
            "system:bootstrappers:joining"));
  }

  @Test
  void countAsLongAsTheirSecretIsThere() throws Exception {
    try (var server =
        RunningServer.start(
            folder,
            options ->
                options.withAuthentication(options.authentication().withBootstrapTokens(true)))) {
      assertThat(server.as(TOKEN, "/version").code()).isEqualTo(401);
      assertThat(server.post(SECRETS, secret().toString()).code()).isEqualTo(201);
      assertThat(server.as(TOKEN, "/api/v1/nodes").message())
          .contains("User \"system:bootstrap:abcdef\" cannot list resource \"nodes\"");
      assertThat(server.delete(SECRETS + "/bootstrap-token-abcdef", "").code()).isEqualTo(200);
      assertThat(server.as(TOKEN, "/version").code()).isEqualTo(401);
    }
  }

  @Test
  void areNothingUnlessTheyAreAllowed() throws Exception {
    try (var server = RunningServer.start(folder)) {
      server.post(SECRETS, secret().toString());
      assertThat(server.as(TOKEN, "/version").code()).isEqualTo(401);
    }
  }
}
