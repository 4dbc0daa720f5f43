package dev.muster.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.testing.ChildProcess;
import dev.muster.testing.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Log lines and audit events of a real process say of which cluster they are, at any time. */
@Tag("slow")
@Needs("kubectl")
class NamedLogTest {
  private static final String ALONE = "\"cluster_id\":\"one\",\"clusterset\":\"\"";
  private static final String MEMBER = "\"cluster_id\":\"one\",\"clusterset\":\"prod\"";

  @TempDir private Path folder;

  @Test
  void everyLineNamesTheClusterAndItsSetAsTheyAreThen() throws IOException {
    var policy =
        Files.writeString(
            folder.resolve("policy.yaml"),
            "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Metadata}]\n");
    var audit = folder.resolve("audit.log");
    try (var muster =
        Processes.muster(
            "up",
            "--servers=1",
            "--port=0",
            "--store=memory",
            "--data=" + folder.resolve("data"),
            "--cluster-id=one",
            "--",
            "--logging-format=json",
            "-v=6",
            "--audit-policy-file=" + policy,
            "--audit-log-path=" + audit)) {
      var kubeconfig = folder.resolve("data/admin.kubeconfig");
      await().atMost(Duration.ofMinutes(5)).until(() -> Files.exists(kubeconfig));
      var kubectl = Kubectl.of(kubeconfig);
      awaitLine(muster, ALONE);
      awaitEvent(audit, "\"cluster.clusterset.k8s.io\":\"one\"");
      kubectl.succeedWithInput(
          """
          apiVersion: about.k8s.io/v1
          kind: ClusterProperty
          metadata: {name: clusterset.k8s.io}
          spec: {value: prod}
          """,
          "apply",
          "-f",
          "-");
      awaitLine(muster, MEMBER);
      awaitEvent(audit, "\"clusterset.k8s.io\":\"prod\"");
      int joined = muster.output().size();
      kubectl.succeed("delete", "clusterproperty", "clusterset.k8s.io");
      await()
          .atMost(Duration.ofMinutes(5))
          .until(
              () ->
                  muster.output().subList(joined, muster.output().size()).stream()
                      .anyMatch(line -> line.contains(ALONE)));
      await()
          .atMost(Duration.ofMinutes(5))
          .until(() -> !Files.readAllLines(audit).getLast().contains("\"clusterset.k8s.io\""));
      assertThat(Files.readAllLines(audit).getLast())
          .contains("\"cluster.clusterset.k8s.io\":\"one\"");
    }
  }

  private static void awaitLine(ChildProcess muster, String part) {
    await()
        .atMost(Duration.ofMinutes(5))
        .until(() -> muster.output().stream().anyMatch(line -> line.contains(part)));
  }

  private static void awaitEvent(Path audit, String part) {
    await()
        .atMost(Duration.ofMinutes(5))
        .until(() -> Files.readAllLines(audit).stream().anyMatch(line -> line.contains(part)));
  }
}
