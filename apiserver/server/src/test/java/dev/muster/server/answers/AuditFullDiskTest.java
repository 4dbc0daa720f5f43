package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.server.options.ApiServerOptions;
import dev.muster.server.options.AuditOptions;
import dev.muster.server.options.audit.AuditMode;
import dev.muster.server.options.audit.AuditWebhookOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A log that cannot be written: the kernel's own full disk, and files that are none. */
class AuditFullDiskTest {
  private static final String FULL = "/dev/full";
  private static final String POLICY =
      "rules: [{level: None, nonResourceURLs: [/metrics]}, {level: Metadata}]";

  @TempDir Path directory;

  private UnaryOperator<ApiServerOptions> logged(String path, AuditMode mode) {
    return options ->
        options.withAudit(
            new AuditOptions(
                AuditFile.policyFile(directory.resolve("policy.yaml"), POLICY),
                AuditFile.options(path, mode),
                AuditWebhookOptions.defaults()));
  }

  @ParameterizedTest
  @EnumSource(names = {"BATCH", "BLOCKING"})
  void aFullDiskStopsNobody(AuditMode mode) throws Exception {
    try (var server = RunningServer.start(directory, logged(FULL, mode))) {
      for (int i = 0; i < 20; i++) {
        assertThat(server.get("/api/v1/namespaces/default").code()).isEqualTo(200);
      }
      Awaitility.await()
          .atMost(Duration.ofSeconds(20))
          .until(
              () ->
                  server
                      .get("/metrics")
                      .text()
                      .contains("apiserver_audit_error_total{plugin=\"log\"}"));
    }
  }

  @Test
  void inStrictModeAFullDiskRefusesWhatIsLogged() throws Exception {
    try (var server = RunningServer.start(directory, logged(FULL, AuditMode.BLOCKING_STRICT))) {
      var refused = server.get("/version");
      assertThat(refused.code()).isEqualTo(500);
      assertThat(refused.text()).contains("failed to store audit event");
      assertThat(server.metric("apiserver_audit_requests_rejected_total")).isEqualTo(1);
    }
  }

  @Test
  void whatCannotBeALogKeepsTheServerFromStarting() throws Exception {
    var file = Files.writeString(directory.resolve("file"), "");
    assertThatThrownBy(
            () -> RunningServer.start(directory, logged(file + "/audit.log", AuditMode.BATCH)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("--audit-log-path: ");
  }

  @Test
  void whatIsNoPolicyKeepsTheServerFromStarting() {
    assertThatThrownBy(
            () ->
                RunningServer.start(
                    directory,
                    new AuditFile(directory.resolve("a.log"))
                        .logged("rules: [{level: Loud}]", AuditMode.BATCH)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("--audit-policy-file: rules[0].level: Unsupported value: \"Loud\"")
        .hasMessageContaining(": from file ");
  }
}
