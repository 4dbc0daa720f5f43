package dev.muster.it.clusterset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.server.options.AuditOptions;
import dev.muster.server.options.audit.AuditLogOptions;
import dev.muster.server.options.audit.AuditMode;
import dev.muster.server.options.audit.AuditWebhookOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events of several clusters in one place must say where they come from. */
class AuditedClusterTest {
  @Test
  void auditEventsNameTheCluster(@TempDir Path folder) throws Exception {
    var policy = folder.resolve("policy.yaml");
    Files.writeString(
        policy, "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Metadata}]\n");
    var log = folder.resolve("audit.log");
    var audit =
        new AuditOptions(
            policy,
            new AuditLogOptions(
                log.toString(),
                AuditLogOptions.Format.JSON,
                "audit.k8s.io/v1",
                0,
                0,
                100,
                false,
                AuditMode.BLOCKING,
                10_000,
                1,
                Duration.ZERO,
                false,
                0,
                0,
                false,
                10 << 20,
                100 << 10),
            AuditWebhookOptions.defaults());
    try (var cluster = NamedCluster.start(folder.resolve("one"), Optional.of("one"), audit)) {
      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .until(
              () -> {
                cluster.client().raw("/version");
                return Files.readString(log).contains("\"cluster.clusterset.k8s.io\":\"one\"");
              });
      assertThat(Files.readAllLines(log).getLast())
          .contains("\"annotations\":{")
          .contains("\"cluster.clusterset.k8s.io\":\"one\"")
          .doesNotContain("\"clusterset.k8s.io\"");
    }
  }
}
