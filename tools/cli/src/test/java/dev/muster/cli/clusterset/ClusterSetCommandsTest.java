package dev.muster.cli.clusterset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.command.CommandTree;
import dev.muster.server.flags.FlagDefinition;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterSetCommandsTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(String... arguments) {
    var tree =
        new CommandTree(
            List.of(new DnsCommand(), new ServicesCommand(), new ClusterSetCommand()),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8));
    return tree.run(arguments);
  }

  private void assertRefused(String message, String... arguments) {
    err.reset();
    assertThat(run(arguments)).isEqualTo(1);
    assertThat(err.toString(StandardCharsets.UTF_8)).isEqualTo(message + System.lineSeparator());
  }

  @Test
  void dnsServesTheUsualZoneEverywhere() {
    var flags = DnsFlags.defaults();
    assertThat(flags.zoneOptions().zone()).isEqualTo("clusterset.local");
    assertThat(flags.zone().timeToLive()).isEqualTo(Duration.ofSeconds(5));
    assertThat(flags.listen().read().port()).isEqualTo(53);
    assertThat(flags.listen().read().addresses()).hasSize(1);
    assertThat(new DnsCommand().flags())
        .extracting(FlagDefinition::name)
        .startsWith(
            "kubeconfig",
            "zone",
            "ttl",
            "strict-kep-1645",
            "nameserver-address",
            "bind-address",
            "port",
            "threads",
            "max-udp-size",
            "tcp-idle-timeout",
            "max-tcp-connections",
            "metrics-bind-address",
            "metrics-port");
  }

  @Test
  void wrongFlagsOfDnsAreNamed() {
    assertRefused("muster dns: --port: must be between 0 and 65535", "dns", "--port=70000");
    assertRefused(
        "muster dns: --max-udp-size: must be between 512 and 4096", "dns", "--max-udp-size=9");
    assertRefused(
        "muster dns: the zone must be a domain name of at most 127 characters: \"a..b\"",
        "dns",
        "--zone=a..b");
  }

  @Test
  void servicesNeedAHubAndASetWithAnIdOrNeither() {
    assertRefused("muster services: --hub-kubeconfig is required", "services");
    assertRefused(
        "muster services: --clusterset and --cluster-id: give both, or none to follow the cluster's"
            + " properties",
        "services",
        "--hub-kubeconfig=absent",
        "--cluster-id=east");
    assertRefused(
        "muster services: --leave needs --clusterset and --cluster-id",
        "services",
        "--hub-kubeconfig=absent",
        "--leave");
    assertRefused(
        "muster services: --cluster-id: must be a DNS subdomain (RFC 1123) such as"
            + " east.example.com",
        "services",
        "--cluster-id=East_1");
    assertRefused(
        "muster services: --clusterset-ip-range: 10.0.0.1/16: the address has bits beyond the"
            + " prefix",
        "services",
        "--clusterset-ip-range=10.0.0.1/16");
  }

  @Test
  void rangesOfANewSetAreChecked() {
    assertRefused(
        "muster clusterset: --clusterset-ip-range: 10.0.0.1/16: the address has bits beyond the"
            + " prefix",
        "clusterset",
        "create",
        "prod",
        "--clusterset-ip-range=10.0.0.1/16");
  }

  /** Which of both did not answer, where, and why. */
  @Test
  void failuresNameTheServerItsAddressAndTheCause(@TempDir Path folder) throws Exception {
    int port;
    try (var socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    var file =
        Files.writeString(
            folder.resolve("kubeconfig"),
            """
            apiVersion: v1
            kind: Config
            clusters: [{name: x, cluster: {server: "http://127.0.0.1:%d"}}]
            users: [{name: x, user: {token: x}}]
            contexts: [{name: x, context: {cluster: x, user: x}}]
            current-context: x
            """
                .formatted(port));
    for (var action : List.of("list", "status", "create prod", "join prod")) {
      var arguments = new ArrayList<>(List.of("clusterset"));
      arguments.addAll(List.of(action.split(" ")));
      arguments.addAll(List.of("--hub-kubeconfig=" + file, "--kubeconfig=" + file));
      err.reset();
      assertThat(run(arguments.toArray(String[]::new))).isEqualTo(1);
      assertThat(err.toString(StandardCharsets.UTF_8))
          .contains("the hub http://127.0.0.1:" + port + "/ does not answer: ")
          .contains("refused");
    }
    err.reset();
    assertThat(run("clusterset", "leave", "--hub-kubeconfig=" + file, "--kubeconfig=" + file))
        .isEqualTo(1);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("the cluster http://127.0.0.1:" + port + "/ does not answer: ");
  }

  @Test
  void helpSaysWhatTheyDo() {
    assertThat(run("dns", "--help")).isZero();
    assertThat(run("services", "--help")).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("--strict-kep-1645", "--hub-kubeconfig", "--leave");
  }
}
