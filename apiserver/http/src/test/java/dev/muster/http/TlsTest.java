package dev.muster.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.http.listen.HttpServerOptions;
import dev.muster.http.tls.TlsMaterial;
import dev.muster.http.tls.TlsOptions;
import dev.muster.testing.NeedsProgram;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("slow")
class TlsTest {
  private static final HttpHandler WHO =
      exchange ->
          exchange.respond(
              ServerResponse.of(
                  200,
                  "text/plain",
                  exchange.clientCertificates().stream()
                      .map(each -> each.getSubjectX500Principal().getName())
                      .toList()
                      .toString()
                      .getBytes(StandardCharsets.UTF_8)));

  private static String ask(TestServer server, HttpClient client) throws Exception {
    return client
        .send(HttpRequest.newBuilder(server.uri("/")).build(), BodyHandlers.ofString())
        .body();
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void handsUpTheClientsCertificateChain(HttpClient.Version version) throws Exception {
    var tls = TestServer.AUTHORITY.client(TestServer.AUTHORITY.issue("alice"));
    try (var server = TestServer.start(WHO);
        var client = TestServer.client(version, tls);
        var nobody = TestServer.client(version)) {
      assertThat(ask(server, client)).isEqualTo("[CN=alice, CN=test-ca]");
      assertThat(ask(server, nobody)).isEqualTo("[]");
    }
  }

  @Test
  void aCertificateOfAnUnknownAuthorityDoesNotFailTheHandshake() throws Exception {
    var stranger = new TestAuthority("stranger-ca").issue("mallory");
    try (var server = TestServer.start(WHO);
        var client =
            TestServer.client(HttpClient.Version.HTTP_2, TestServer.AUTHORITY.client(stranger))) {
      assertThat(ask(server, client)).isEqualTo("[CN=mallory, CN=stranger-ca]");
    }
  }

  @ParameterizedTest
  @CsvSource({"8, 1, true", "9, 1, false", "4, 7000, true", "4, 8000, false", "89, 1, false"})
  void endsTheHandshakeWhenTheChainIsTooLongOrTooLarge(int more, int bytesOfEach, boolean taken)
      throws Exception {
    var material = TestServer.AUTHORITY.issueWithMore("alice", more, bytesOfEach);
    try (var server = TestServer.start(WHO);
        var client =
            TestServer.client(HttpClient.Version.HTTP_2, TestServer.AUTHORITY.client(material))) {
      if (taken) {
        assertThat(ask(server, client)).startsWith("[CN=alice, CN=test-ca, CN=x");
      } else {
        assertThatThrownBy(() -> ask(server, client)).isInstanceOf(IOException.class);
        Awaitility.await().until(() -> server.server.counters().tlsErrors.sum() > 0);
      }
    }
  }

  @Test
  @NeedsProgram("openssl")
  void namesTheClientAuthoritiesToTheClient() throws Exception {
    List<X509Certificate> authorities = List.of(TestServer.AUTHORITY.certificate);
    try (var server =
        TestServer.start(
            WHO,
            options ->
                HttpServerOptions.of(
                    options.binds(),
                    TlsOptions.of(TestServer.AUTHORITY.issue("localhost"))
                        .withClientAuthorities(() -> authorities)))) {
      var process =
          new ProcessBuilder(
                  "openssl", "s_client", "-connect", "127.0.0.1:" + server.port(), "-alpn", "h2")
              .redirectErrorStream(true)
              .start();
      process.getOutputStream().close();
      var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(output)
          .contains("Acceptable client certificate CA names")
          .contains("CN = test-ca")
          .contains("ALPN protocol: h2");
    }
  }

  private static SSLSocket handshake(TestServer server, String protocol) throws IOException {
    var socket =
        (SSLSocket)
            TestServer.AUTHORITY
                .client()
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), server.port());
    socket.setEnabledProtocols(new String[] {protocol});
    socket.setSoTimeout(60_000);
    socket.startHandshake();
    return socket;
  }

  @Test
  @NeedsProgram("openssl")
  void speaksTls12And13AndNothingOlder() throws Exception {
    try (var server = TestServer.start(WHO)) {
      handshake(server, "TLSv1.2").close();
      handshake(server, "TLSv1.3").close();
      for (var option : new String[] {"-tls1", "-tls1_1"}) {
        var process =
            new ProcessBuilder(
                    "openssl",
                    "s_client",
                    option,
                    "-cipher",
                    "ALL:@SECLEVEL=0",
                    "-connect",
                    "127.0.0.1:" + server.port())
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(output).contains("alert protocol version");
      }
      Awaitility.await().until(() -> server.server.counters().tlsErrors.sum() == 2);
      assertThat(server.server.counters().tlsHandshakes.sum()).isEqualTo(2);
    }
  }

  @Test
  void onlyTheChosenProtocolIsSpoken() throws Exception {
    try (var server =
        TestServer.start(
            WHO,
            options -> {
              var tls = TlsOptions.of(TestServer.AUTHORITY.issue("localhost"));
              return HttpServerOptions.of(options.binds(), tls.withProtocols(List.of("TLSv1.3")));
            })) {
      handshake(server, "TLSv1.3").close();
      assertThatThrownBy(() -> handshake(server, "TLSv1.2")).isInstanceOf(SSLException.class);
    }
  }

  private static String shown(TestServer server) throws Exception {
    try (var socket = handshake(server, "TLSv1.3")) {
      return ((X509Certificate) socket.getSession().getPeerCertificates()[0])
          .getSubjectX500Principal()
          .getName();
    }
  }

  @Test
  void newConnectionsUseNewMaterialAndOldOnesGoOn() throws Exception {
    var material = new AtomicReference<>(TestServer.AUTHORITY.issue("one"));
    try (var server =
            TestServer.start(
                WHO,
                options ->
                    HttpServerOptions.of(
                        options.binds(),
                        TlsOptions.of(() -> Objects.requireNonNull(material.get()))));
        var client = new RawHttp1(server.port())) {
      assertThat(shown(server)).isEqualTo("CN=one");
      var two = TestServer.AUTHORITY.issue("two");
      material.set(two);
      assertThat(shown(server)).isEqualTo("CN=two");
      var unusable = new TlsMaterial(two.chain(), new TestAuthority("other").issue("other").key());
      material.set(unusable);
      assertThat(shown(server)).isEqualTo("CN=two");
      material.set(TestServer.AUTHORITY.issue("three"));
      assertThat(shown(server)).isEqualTo("CN=three");
      assertThat(client.get("/").answer().status()).isEqualTo(200);
    }
  }

  @Test
  @NeedsProgram("openssl")
  void refusesToRenegotiate() throws Exception {
    try (var server = TestServer.start(WHO)) {
      var process =
          new ProcessBuilder(
                  "openssl", "s_client", "-tls1_2", "-connect", "127.0.0.1:" + server.port())
              .redirectErrorStream(true)
              .start();
      try (var in = process.getOutputStream()) {
        in.write("R\n".getBytes(StandardCharsets.US_ASCII));
        in.flush();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      }
      var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(output)
          .contains("RENEGOTIATING")
          .containsAnyOf("no renegotiation", "handshake failure");
    }
  }

  @Test
  void plainTextToATlsPortIsClosed() throws Exception {
    try (var server = TestServer.start(WHO);
        var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(60_000);
      socket.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(socket.getInputStream().readAllBytes().length).isLessThan(100);
    }
  }
}
