package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.authorization.modes.AuthorizerType;
import dev.muster.server.options.ApiServerOptions;
import dev.muster.server.options.AuthenticationOptions;
import dev.muster.server.options.AuthorizationOptions;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a server lets those do who show no credentials. */
class StrangersTest {
  private static final String SECRETS = "/api/v1/namespaces/kube-system/secrets";

  @TempDir private Path folder;

  @Test
  void byDefaultStrangersMayOnlyAskWhatEverybodyMay() throws Exception {
    try (var server = RunningServer.start(folder)) {
      assertThat(server.anonymously(SECRETS).code()).isEqualTo(403);
      assertThat(server.anonymously("/version").code()).isEqualTo(200);
    }
  }

  @Test
  void whereEverythingIsAllowedNobodyIsAnonymous() throws Exception {
    try (var server =
        RunningServer.start(folder, options -> allowing(options, AuthorizerType.ALWAYS_ALLOW))) {
      assertThat(server.anonymously(SECRETS).code()).isEqualTo(401);
      assertThat(server.anonymously("/version").code()).isEqualTo(401);
      assertThat(server.get(SECRETS).code()).isEqualTo(200);
    }
  }

  @Test
  void noOrderOfModesMakesAnonymousAnAdministrator() throws Exception {
    try (var server =
        RunningServer.start(
            folder,
            options -> allowing(options, AuthorizerType.RBAC, AuthorizerType.ALWAYS_ALLOW))) {
      assertThat(server.anonymously(SECRETS).code()).isEqualTo(401);
    }
  }

  private static ApiServerOptions allowing(ApiServerOptions options, AuthorizerType... modes) {
    var given = options.authentication();
    return options
        .withAuthentication(
            new AuthenticationOptions(
                given.clientCaFile(), given.tokenFile(), true, given.audiences()))
        .withAuthorization(new AuthorizationOptions(List.of(modes)));
  }
}
