package dev.muster.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.muster.pki.Authority;
import dev.muster.pki.Pem;
import dev.muster.testing.EtcdCluster;
import dev.muster.testing.FreePorts;
import dev.muster.testing.NeedsProgram;
import dev.muster.testing.TestCertificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.assertj.core.api.SoftAssertions;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The table of the CIS benchmark in the documentation, tried on real servers. */
@Tag("slow")
class CisBenchmarkTest {
  @TempDir private Path folder;
  private List<CisTable.Row> rows;

  @BeforeEach
  void files() throws Exception {
    rows = CisTable.read();
    var kubelets = authority("kubelet-ca");
    authority("other-ca");
    CisServer.write(
        folder,
        "kubelet-client",
        kubelets.client("kubelet-client", List.of(), Instant.now(), CisServer.DAY));
    Files.writeString(
        folder.resolve("admission.yaml"),
        """
        apiVersion: apiserver.config.k8s.io/v1
        kind: AdmissionConfiguration
        plugins:
        - name: EventRateLimit
          configuration:
            apiVersion: eventratelimit.admission.k8s.io/v1alpha1
            kind: Configuration
            limits: [{type: Namespace, qps: 1, burst: 2}]
        """);
    Files.writeString(
        folder.resolve("audit.yaml"),
        "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Metadata}]\n");
    Files.writeString(
        folder.resolve("encryption.yaml"),
        """
        apiVersion: apiserver.config.k8s.io/v1
        kind: EncryptionConfiguration
        resources:
        - resources: [secrets]
          providers:
          - secretbox: {keys: [{name: one, secret: %s}]}
          - identity: {}
        """
            .formatted(Base64.getEncoder().encodeToString(new byte[32])));
  }

  private Authority authority(String name) throws IOException {
    var authority = Authority.create(name, Instant.now(), CisServer.DAY);
    Files.writeString(folder.resolve(name + ".crt"), Pem.of(authority.certificate()));
    Files.writeString(folder.resolve(name + ".key"), Pem.of(authority.key()));
    return authority;
  }

  @Test
  void theTableHasEveryLineOfTheSection() {
    assertThat(rows)
        .extracting(CisTable.Row::check)
        .containsExactlyElementsOf(IntStream.rangeClosed(1, 30).mapToObj(i -> "1.2." + i).toList());
    var tried = CisChecks.all().keySet();
    for (var row : rows) {
      assertThat(tried.contains(row.check())).as(row.check()).isNotEqualTo(byFlag(row));
    }
  }

  private static boolean byFlag(CisTable.Row row) {
    return row.apiServer().endsWith("by flag");
  }

  /** The flags of the lines with a result that the server does not set itself. */
  private List<String> flags(Function<CisTable.Row, String> result) {
    return rows.stream()
        .filter(row -> result.apply(row).equals("pass") || byFlag(row))
        .flatMap(row -> row.flags().stream())
        .map(flag -> flag.replace("/etc/muster", folder.toString()))
        .toList();
  }

  /** Tries all lines and tells all that differ. */
  private void assertHolds(CisServer server, Function<CisTable.Row, String> result) {
    var checks = CisChecks.all();
    var all = new SoftAssertions();
    for (var row : rows) {
      var check = checks.get(row.check());
      if (check == null) {
        all.assertThat(row.flags()).as(row.check()).isNotEmpty();
      } else if (result.apply(row).startsWith("pass")) {
        all.assertThatCode(() -> check.on(server)).as(row.check()).doesNotThrowAnyException();
      } else {
        all.assertThat(result.apply(row)).as(row.check()).isEqualTo("no etcd");
      }
    }
    all.assertAll();
  }

  @Test
  void holdsOnMusterUp() throws Exception {
    var data = folder.resolve("data");
    var flags = new ArrayList<>(List.of("--"));
    flags.addAll(flags(CisTable.Row::up));
    try (var muster = Processes.up(data, flags.toArray(String[]::new))) {
      var url =
          Processes.awaitUp(muster).stream()
              .map(String::strip)
              .filter(line -> line.startsWith("https://127.0.0.1:"))
              .findFirst()
              .orElseThrow();
      var authority =
          Authority.of(
              Files.readString(data.resolve("pki/ca.crt")),
              Files.readString(data.resolve("pki/ca.key")));
      assertHolds(
          new CisServer(
              muster, url, authority, authority.certificate(), folder, data.resolve("store")),
          CisTable.Row::up);
      muster.terminate();
      assertThat(muster.waitFor()).isZero();
    }
  }

  @Test
  @NeedsProgram(value = "etcd", from = "3.4")
  void holdsOnMusterApiserver() throws Exception {
    var authority = authority("ca");
    CisServer.write(folder, "serving", CisServer.server(authority));
    var keys = KeyPairGenerator.getInstance("RSA").generateKeyPair();
    Files.writeString(folder.resolve("sa.key"), Pem.of(keys.getPrivate()));
    Files.writeString(folder.resolve("sa.pub"), Pem.of(keys.getPublic()));
    var members = Files.createDirectory(folder.resolve("etcd"));
    var certificates = new TestCertificates(members);
    var client = certificates.issue("client");
    Files.copy(certificates.authority(), folder.resolve("etcd-ca.crt"));
    Files.copy(client.certificate(), folder.resolve("etcd-client.crt"));
    Files.copy(client.key(), folder.resolve("etcd-client.key"));
    int port = FreePorts.find(1).getFirst();
    try (var etcd = EtcdCluster.start(members, 1, certificates)) {
      var arguments =
          new ArrayList<>(
              List.of(
                  "apiserver",
                  "--bind-address=127.0.0.1",
                  "--secure-port=" + port,
                  "--etcd-servers=" + String.join(",", etcd.endpoints())));
      arguments.addAll(flags(CisTable.Row::apiServer));
      try (var muster = Processes.muster(arguments.toArray(String[]::new))) {
        var server =
            new CisServer(
                muster,
                "https://127.0.0.1:" + port,
                authority,
                authority.certificate(),
                folder,
                members);
        Awaitility.await()
            .atMost(Duration.ofMinutes(2))
            .untilAsserted(
                () -> {
                  assertThat(muster.isAlive()).as("output: %s", muster.output()).isTrue();
                  assertThatCode(
                          () ->
                              assertThat(server.admin("GET", "/readyz", "").code()).isEqualTo(200))
                      .doesNotThrowAnyException();
                });
        assertHolds(server, CisTable.Row::apiServer);
        muster.terminate();
        assertThat(muster.waitFor()).isZero();
      }
    }
  }
}
