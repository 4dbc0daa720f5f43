package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.pki.Authority;
import dev.muster.pki.CertificateNames;
import dev.muster.pki.Identity;
import dev.muster.pki.Pem;
import dev.muster.server.options.NodeOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.http.HttpClient.Version;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Connections to kubelets: whom we believe, and what we show. */
class KubeletTest {
  private static final Duration DAY = Duration.ofDays(1);
  private static final Authority AUTHORITY = authority();
  private static final CertificateNames LOOPBACK =
      CertificateNames.of(List.of("worker.example"), List.of(InetAddress.ofLiteral("127.0.0.1")));

  private static Authority authority() {
    return Authority.create("kubelet-ca", Instant.now(), DAY);
  }

  private static final String LOG = "/api/v1/namespaces/default/pods/p/log";
  private static final String LINES = "one\ntwo\n";

  @TempDir private Path folder;
  private final TestNetwork network = new TestNetwork();

  private static Identity serving(Authority authority, CertificateNames names) {
    return authority.server("kubelet", names, Instant.now(), DAY);
  }

  private RunningServer server(NodeOptions nodes, String type, String address, int port)
      throws Exception {
    var server =
        RunningServer.start(
            folder, options -> options.withNodes(nodes.withPrivileged(true)), network);
    server.post("/api/v1/nodes", "{\"metadata\":{\"name\":\"n\"}}");
    var status =
        """
        {"status":{"addresses":[{"type":"%s","address":"%s"}],
                   "daemonEndpoints":{"kubeletEndpoint":{"Port":%d}}}}
        """
            .formatted(type, address, port);
    assertThat(server.patch("/api/v1/nodes/n/status", RunningServer.MERGE, status).code())
        .isEqualTo(200);
    var pod =
        server.post(
            "/api/v1/namespaces/default/pods",
            """
            {"metadata":{"name":"p"},
             "spec":{"nodeName":"n","containers":[{"name":"c","image":"i"}]}}
            """);
    assertThat(pod.code()).as(pod.text()).isEqualTo(201);
    return server;
  }

  private Path written(String name, String pem) throws IOException {
    return Files.writeString(folder.resolve(name), pem);
  }

  private NodeOptions options(@Nullable Authority authority, @Nullable Identity client)
      throws IOException {
    return NodeOptions.defaults()
        .withKubeletFiles(
            authority == null ? null : written("kubelet-ca.crt", Pem.of(authority.certificate())),
            client == null ? null : written("client.crt", Pem.of(client.chain())),
            client == null ? null : written("client.key", Pem.of(client.key())));
  }

  private static Identity client(String name) {
    return AUTHORITY.component(name, List.of(), Instant.now(), DAY);
  }

  @Test
  void aKubeletOfTheKnownAuthorityIsAskedAndSeesOurCertificate() throws Exception {
    try (var kubelet = TestBackend.tls(serving(AUTHORITY, LOOPBACK), TestBackend.saying(LINES));
        var server =
            server(
                options(AUTHORITY, client("apiserver-kubelet-client")),
                "InternalIP",
                "127.0.0.1",
                kubelet.port())) {
      assertThat(server.get(LOG + "?tailLines=5").text()).isEqualTo(LINES);
      assertThat(kubelet.only().target()).isEqualTo("/containerLogs/default/p/c?tailLines=5");
      assertThat(kubelet.only().client()).isEqualTo("CN=apiserver-kubelet-client");
      assertThat(kubelet.only().headers())
          .containsExactlyInAnyOrder("host: 127.0.0.1:" + kubelet.port(), "connection: close");
    }
  }

  @Test
  void aKubeletOfAnotherAuthorityIsToldNothing() throws Exception {
    var stranger = Authority.create("stranger", Instant.now(), DAY);
    try (var kubelet = TestBackend.tls(serving(stranger, LOOPBACK), TestBackend.saying(LINES));
        var server =
            server(options(AUTHORITY, client("us")), "InternalIP", "127.0.0.1", kubelet.port())) {
      var answer = server.get(LOG);
      assertThat(answer.code()).isEqualTo(500);
      assertThat(answer.message())
          .isEqualTo(
              "Get \"https://127.0.0.1:%d/containerLogs/default/p/c\": tls: failed to verify certificate: x509: certificate signed by unknown authority"
                  .formatted(kubelet.port()));
      assertThat(kubelet.seen()).isEmpty();
      assertThat(server.get(LOG + "?insecureSkipTLSVerifyBackend=true").text()).isEqualTo(LINES);
    }
  }

  @Test
  void aCertificateForAnotherNodeIsNotTaken() throws Exception {
    var other =
        CertificateNames.of(List.of("other.example"), List.of(InetAddress.ofLiteral("10.9.9.9")));
    try (var kubelet = TestBackend.tls(serving(AUTHORITY, other), TestBackend.saying(LINES));
        var server = server(options(AUTHORITY, null), "InternalIP", "127.0.0.1", kubelet.port())) {
      var answer = server.get(LOG);
      assertThat(answer.code()).isEqualTo(500);
      assertThat(answer.message()).contains("tls: failed to verify certificate: x509: ");
      assertThat(kubelet.seen()).isEmpty();
    }
  }

  @Test
  void aCertificateThatHasExpiredIsNotTaken() throws Exception {
    var lastWeek = Instant.now().minus(Duration.ofDays(7));
    var authority = Authority.create("old-ca", lastWeek, Duration.ofDays(30));
    var expired = authority.server("kubelet", LOOPBACK, lastWeek, DAY);
    try (var kubelet = TestBackend.tls(expired, TestBackend.saying(LINES));
        var server = server(options(authority, null), "InternalIP", "127.0.0.1", kubelet.port())) {
      assertThat(server.get(LOG).message())
          .contains("x509: certificate has expired or is not yet valid");
      assertThat(kubelet.seen()).isEmpty();
    }
  }

  @Test
  void aCertificateOfAClientIsNoKubelets() throws Exception {
    try (var kubelet = TestBackend.tls(client("127.0.0.1"), TestBackend.saying(LINES));
        var server = server(options(AUTHORITY, null), "InternalIP", "127.0.0.1", kubelet.port())) {
      assertThat(server.get(LOG).code()).isEqualTo(500);
      assertThat(kubelet.seen()).isEmpty();
    }
  }

  @Test
  void withoutAnAuthorityAnyKubeletIsAsked() throws Exception {
    var stranger = Authority.create("stranger", Instant.now(), DAY);
    try (var kubelet = TestBackend.tls(serving(stranger, LOOPBACK), TestBackend.saying(LINES));
        var server = server(options(null, null), "InternalIP", "127.0.0.1", kubelet.port())) {
      assertThat(server.get(LOG).text()).isEqualTo(LINES);
      assertThat(kubelet.only().client()).isEmpty();
    }
  }

  @Test
  void aNodeWithANameIsVerifiedUnderThatName() throws Exception {
    network.named("worker.example", List.of("203.0.113.20"), List.of("203.0.113.20"));
    try (var kubelet = TestBackend.tls(serving(AUTHORITY, LOOPBACK), TestBackend.saying(LINES));
        var server = server(options(AUTHORITY, null), "Hostname", "worker.example", 10250)) {
      network.at("203.0.113.20", 10250, kubelet);
      assertThat(server.get(LOG).text()).isEqualTo(LINES);
      assertThat(kubelet.only().header("host")).containsExactly("worker.example:10250");
    }
  }

  @Test
  void onlyKubeletsSeeOurCertificate() throws Exception {
    var identity = serving(AUTHORITY, LOOPBACK);
    try (var kubelet = TestBackend.tls(identity, TestBackend.saying("kubelet"));
        var other = TestBackend.tls(identity, TestBackend.saying("other"));
        var server = server(options(null, client("us")), "InternalIP", "203.0.113.21", 10250)) {
      network.at("203.0.113.21", 10250, kubelet).at("203.0.113.21", 9443, other);
      assertThat(server.get("/api/v1/nodes/n/proxy/healthz").text()).isEqualTo("kubelet");
      assertThat(server.get("/api/v1/nodes/https:n:9443/proxy/healthz").text()).isEqualTo("other");
      assertThat(kubelet.only().client()).isEqualTo("CN=us");
      assertThat(other.only().client()).isEmpty();
    }
  }

  @Test
  void aNewCertificateIsShownFromTheNextConnectionOn() throws Exception {
    var options = options(AUTHORITY, client("first"));
    try (var kubelet = TestBackend.tls(serving(AUTHORITY, LOOPBACK), TestBackend.saying(LINES));
        var server = server(options, "InternalIP", "127.0.0.1", kubelet.port())) {
      assertThat(server.get(LOG).code()).isEqualTo(200);
      var second = client("second");
      written("client.key", "torn");
      touch("client.key", 1);
      assertThat(server.get(LOG).code()).isEqualTo(200);
      written("client.key", Pem.of(second.key()));
      written("client.crt", Pem.of(second.chain()));
      touch("client.key", 2);
      touch("client.crt", 2);
      assertThat(server.get(LOG).code()).isEqualTo(200);
      assertThat(kubelet.seen())
          .extracting(TestBackend.Seen::client)
          .containsExactly("CN=first", "CN=first", "CN=second");
    }
  }

  /** File systems may count whole seconds only. */
  private void touch(String name, int later) throws IOException {
    Files.setLastModifiedTime(
        folder.resolve(name), FileTime.from(Instant.now().plusSeconds(10L * later)));
  }

  @Test
  void whoFollowsALogAndLeavesTakesTheConnectionToTheKubeletAlong() throws Exception {
    try (var kubelet =
            TestBackend.tls(
                serving(AUTHORITY, LOOPBACK),
                (request, connection) -> connection.send("HTTP/1.1 200 OK\r\n\r\none\n").hold());
        var server = server(options(AUTHORITY, null), "InternalIP", "127.0.0.1", kubelet.port())) {
      var answer =
          server.open(Version.HTTP_2, "GET", LOG + "?follow=true").get(30, TimeUnit.SECONDS);
      try (var body = answer.body()) {
        assertThat(new String(body.readNBytes(4), StandardCharsets.UTF_8)).isEqualTo("one\n");
        assertThat(kubelet.open()).isEqualTo(1);
      }
      await().atMost(Duration.ofSeconds(20)).until(() -> kubelet.open() == 0);
    }
  }

  @Test
  void aStopOfTheServerEndsWhatItFollows() throws Exception {
    try (var kubelet =
        TestBackend.tls(
            serving(AUTHORITY, LOOPBACK),
            (request, connection) -> connection.send("HTTP/1.1 200 OK\r\n\r\none\n").hold())) {
      var server = server(options(AUTHORITY, null), "InternalIP", "127.0.0.1", kubelet.port());
      try {
        server.open(Version.HTTP_2, "GET", LOG + "?follow=true").get(30, TimeUnit.SECONDS);
        assertThat(kubelet.open()).isEqualTo(1);
      } finally {
        server.close();
      }
      await().atMost(Duration.ofSeconds(20)).until(() -> kubelet.open() == 0);
    }
  }

  @Test
  void whatAKubeletRefusesIsTold() throws Exception {
    try (var kubelet =
            TestBackend.tls(
                serving(AUTHORITY, LOOPBACK),
                (request, connection) ->
                    connection.send(
                        "HTTP/1.1 400 Bad Request\r\ncontent-length: 7\r\n\r\nnot now"));
        var server = server(options(AUTHORITY, null), "InternalIP", "127.0.0.1", kubelet.port())) {
      var answer = server.get(LOG);
      assertThat(answer.code()).isEqualTo(400);
      assertThat(answer.message()).isEqualTo("not now");
    }
  }

  @Test
  void aRedirectOfAKubeletIsNotFollowed() throws Exception {
    try (var victim = TestBackend.plain(TestBackend.saying("secret"));
        var kubelet =
            TestBackend.tls(
                serving(AUTHORITY, LOOPBACK),
                (request, connection) ->
                    connection.send(
                        "HTTP/1.1 302 Found\r\ncontent-length: 0\r\nlocation: http://127.0.0.1:"
                            + victim.port()
                            + "/\r\n\r\n"));
        var server = server(options(AUTHORITY, null), "InternalIP", "127.0.0.1", kubelet.port())) {
      var answer = server.get(LOG);
      assertThat(answer.code()).isEqualTo(500);
      assertThat(answer.text()).doesNotContain("secret");
      assertThat(victim.seen()).isEmpty();
    }
  }

  @Test
  void aPortThatCannotBeIsSaidToBeNone() throws Exception {
    try (var server = server(options(null, null), "InternalIP", "127.0.0.1", 70000)) {
      assertThat(server.get(LOG).message())
          .isEqualTo(
              "Get \"https://127.0.0.1:70000/containerLogs/default/p/c\": dial tcp: address 70000:"
                  + " invalid port");
    }
  }
}
