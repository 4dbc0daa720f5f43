package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.authentication.token.LegacyTokenUse;
import dev.muster.authentication.token.LegacyTokens;
import dev.muster.authentication.token.TokenKeys;
import dev.muster.model.json.JsonObject;
import dev.muster.pki.PkiFolder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The day on which a token in a secret was last used, as the secret says it. */
class LegacyTokenLabelTest {
  private static final String DEFAULT = "/api/v1/namespaces/default/";

  @TempDir private Path folder;

  @Test
  void isWrittenWhenTheTokenIsUsed() throws Exception {
    try (var server = RunningServer.start(folder)) {
      var account =
          server.post(DEFAULT + "serviceaccounts", "{\"metadata\":{\"name\":\"sa\"}}").object();
      var keys =
          new TokenKeys(
              PkiFolder.open(folder.resolve("pki"), Clock.systemUTC()).tokenKey(), List.of());
      var token = LegacyTokens.sign(keys, account, "sa-token");
      var secret =
          JsonObject.of(
              "metadata",
              JsonObject.of(
                  "name",
                  "sa-token",
                  "annotations",
                  JsonObject.of("kubernetes.io/service-account.name", "sa")),
              "type",
              "kubernetes.io/service-account-token",
              "data",
              JsonObject.of(
                  "token",
                  Base64.getEncoder().encodeToString(token.getBytes(StandardCharsets.UTF_8))));
      assertThat(server.post(DEFAULT + "secrets", secret.toString()).code()).isEqualTo(201);
      var before = LocalDate.now(ZoneOffset.UTC);
      assertThat(server.as(token, "/version").code()).isEqualTo(200);
      await().until(() -> !label(server).isEmpty());
      assertThat(LocalDate.parse(label(server))).isBetween(before, LocalDate.now(ZoneOffset.UTC));
      assertThat(server.as(token, "/version").code()).isEqualTo(200);
    }
  }

  private static String label(RunningServer server) {
    return server
        .get(DEFAULT + "secrets/sa-token")
        .object()
        .object("metadata", "labels")
        .string(LegacyTokenUse.LAST_USED);
  }
}
