package dev.muster.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.testing.ChildProcess;
import dev.muster.testing.NeedsProgram;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Log lines and audit events of a real process say of which cluster they are, at any time. */
@Tag("slow")
@NeedsProgram("kubectl")
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
        Processes.up(
            folder.resolve("data"),
            "--store=memory",
            "--cluster-id=one",
            "--",
            "--logging-format=json",
            "-v=6",
            "--audit-policy-file=" + policy,
            "--audit-log-path=" + audit)) {
      var kubeconfig = folder.resolve("data/admin.kubeconfig");
      await().atMost(Duration.ofMinutes(5)).until(() -> Files.exists(kubeconfig));
      var kubectl = Kubectl.of(kubeconfig);
      var server = server(kubeconfig);
      awaitLine(muster, 0, ALONE, server);
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
      awaitLine(muster, 0, MEMBER, server);
      awaitEvent(audit, "\"clusterset.k8s.io\":\"prod\"");
      int joined = muster.output().size();
      kubectl.succeed("delete", "clusterproperty", "clusterset.k8s.io");
      awaitLine(muster, joined, ALONE, server);
      await()
          .atMost(Duration.ofMinutes(5))
          .until(() -> !Files.readAllLines(audit).getLast().contains("\"clusterset.k8s.io\""));
      assertThat(Files.readAllLines(audit).getLast())
          .contains("\"cluster.clusterset.k8s.io\":\"one\"");
    }
  }

  private static InetSocketAddress server(Path kubeconfig) throws IOException {
    var url = Pattern.compile("server: https://([^:]*):([0-9]*)");
    var found = url.matcher(Files.readString(kubeconfig));
    assertThat(found.find()).isTrue();
    return new InetSocketAddress(found.group(1), Integer.parseInt(found.group(2)));
  }

  /** Waits for such a line after the first ones, and gives the server something to log. */
  private static void awaitLine(
      ChildProcess muster, int first, String part, InetSocketAddress server) {
    await()
        .atMost(Duration.ofMinutes(5))
        .until(
            () -> {
              failHandshake(server);
              return muster.output().stream().skip(first).anyMatch(line -> line.contains(part));
            });
  }

  /** A client that does not speak TLS: with {@code -v=6}, that is a line of the log. */
  private static void failHandshake(InetSocketAddress server) {
    try (var socket = new Socket(server.getAddress(), server.getPort())) {
      socket.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.UTF_8));
      while (socket.getInputStream().read() >= 0) {
        Thread.onSpinWait();
      }
    } catch (IOException _) {
      // It may have closed the connection before it was all sent, or not listen yet.
    }
  }

  private static void awaitEvent(Path audit, String part) {
    await()
        .atMost(Duration.ofMinutes(5))
        .until(() -> Files.readAllLines(audit).stream().anyMatch(line -> line.contains(part)));
  }
}
