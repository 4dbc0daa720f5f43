package dev.muster.server.egress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.muster.http.Header;
import dev.muster.pki.Authority;
import dev.muster.pki.CertificateNames;
import dev.muster.pki.Pem;
import dev.muster.registry.connect.Destination;
import dev.muster.registry.connect.Destination.Backend;
import dev.muster.server.options.NodeOptions;
import dev.muster.server.proxy.BackendException;
import dev.muster.server.proxy.BackendRequest;
import dev.muster.server.proxy.Backends;
import dev.muster.server.proxy.Network;
import dev.muster.server.proxy.ProxyTimeouts;
import dev.muster.testing.ConnectProxy;
import dev.muster.testing.TestTls;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests to a kubelet that pass through real proxies. */
@Tag("slow")
class EgressTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
  private static final Authority AUTHORITY = authority();

  /** Larger than any window of HTTP/2. */
  private static final byte[] LARGE = new byte[3 << 20];

  private static Authority authority() {
    return Authority.create("ca", Instant.now(), Duration.ofDays(1));
  }

  static {
    Arrays.fill(LARGE, (byte) 'x');
  }

  @TempDir private Path folder;
  private HttpServer kubelet;

  @BeforeEach
  void start() throws Exception {
    var secured = HttpsServer.create(new InetSocketAddress(LOOPBACK, 0), 50);
    secured.setHttpsConfigurator(new HttpsConfigurator(serverContext()));
    secured.createContext(
        "/large",
        exchange -> {
          exchange.sendResponseHeaders(200, LARGE.length);
          exchange.getResponseBody().write(LARGE);
          exchange.close();
        });
    secured.createContext(
        "/echo",
        exchange -> {
          var body = exchange.getRequestBody().readAllBytes();
          var said = ("heard " + body.length).getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, said.length);
          exchange.getResponseBody().write(said);
          exchange.close();
        });
    secured.start();
    kubelet = secured;
  }

  @AfterEach
  void stop() {
    kubelet.stop(0);
  }

  private static SSLContext serverContext() {
    var names = CertificateNames.of(List.of("proxy.example"), List.of(LOOPBACK));
    var identity = AUTHORITY.server("server", names, Instant.now(), Duration.ofDays(1));
    return TestTls.showing(identity.key(), identity.chain(), List.of(AUTHORITY.certificate()));
  }

  private Egress egress(EgressConnection connection) {
    return new EgressSelector(new EgressConfiguration(Map.of(EgressType.CLUSTER, connection)))
        .of(EgressType.CLUSTER);
  }

  private EgressConnection.TlsFiles files(String serverName) throws Exception {
    var shown = AUTHORITY.component("us", List.of(), Instant.now(), Duration.ofDays(1));
    return new EgressConnection.TlsFiles(
        Files.writeString(folder.resolve("ca.crt"), Pem.of(AUTHORITY.certificate())),
        Files.writeString(folder.resolve("us.crt"), Pem.of(shown.chain())),
        Files.writeString(folder.resolve("us.key"), Pem.of(shown.key())),
        serverName);
  }

  private String kubeletAddress() {
    return "127.0.0.1:" + kubelet.getAddress().getPort();
  }

  private Backends backends(Egress egress, Duration connect) {
    return new Backends(
        NodeOptions.defaults(),
        Network.SYSTEM,
        egress,
        new ProxyTimeouts(connect, PATIENCE, PATIENCE, PATIENCE));
  }

  private byte[] ask(Backends backends, String method, String path, byte[] body) throws Exception {
    var destination =
        new Destination(
            Backend.KUBELET, true, "127.0.0.1", kubelet.getAddress().getPort(), path, "");
    try (var call = backends.call(backends.resolve(destination))) {
      call.connect();
      var request = new BackendRequest(method, List.of(new Header("host", "kubelet")), body);
      assertThat(call.send(request, PATIENCE).status()).isEqualTo(200);
      var all = new ByteArrayOutputStream();
      for (var piece = call.next(); piece != null; piece = call.next()) {
        all.writeBytes(piece);
      }
      return all.toByteArray();
    }
  }

  /** Large bodies in both directions. */
  private void assertPasses(Egress egress) throws Exception {
    try (var backends = backends(egress, PATIENCE)) {
      assertThat(ask(backends, "GET", "/large", new byte[0])).isEqualTo(LARGE);
      assertThat(new String(ask(backends, "POST", "/echo", LARGE), StandardCharsets.UTF_8))
          .isEqualTo("heard " + LARGE.length);
    }
  }

  private void assertFails(Egress egress, Duration connect, String message) {
    try (var backends = backends(egress, connect)) {
      assertThatThrownBy(() -> ask(backends, "GET", "/large", new byte[0]))
          .isInstanceOf(BackendException.class)
          .hasMessageContaining(message);
    }
  }

  @Test
  void passesThroughAProxyAtAnAddress() throws Exception {
    try (var proxy = ConnectProxy.onTcp(null)) {
      assertPasses(egress(http(new EgressConnection.Tcp("127.0.0.1", proxy.port(), null))));
      assertThat(proxy.asked()).containsExactly(kubeletAddress(), kubeletAddress());
    }
  }

  private static EgressConnection http(EgressConnection.Proxy proxy) {
    return new EgressConnection.HttpConnect(proxy);
  }

  @Test
  void passesThroughAProxyWithTlsThatWantsACertificate() throws Exception {
    try (var proxy = ConnectProxy.onTcp(serverContext())) {
      assertPasses(egress(http(new EgressConnection.Tcp("127.0.0.1", proxy.port(), files("")))));
      assertPasses(
          egress(
              http(new EgressConnection.Tcp("127.0.0.1", proxy.port(), files("proxy.example")))));
      assertThat(proxy.asked()).hasSize(4);
      assertFails(
          egress(http(new EgressConnection.Tcp("127.0.0.1", proxy.port(), files("other")))),
          PATIENCE,
          "No subject alternative DNS name matching other found");
      assertThat(proxy.asked()).hasSize(4);
    }
  }

  @Test
  void passesThroughAProxyAtASocket() throws Exception {
    var socket = folder.resolve("s");
    try (var proxy = ConnectProxy.onSocket(socket)) {
      assertPasses(egress(http(new EgressConnection.Uds(socket))));
      assertThat(proxy.asked()).containsExactly(kubeletAddress(), kubeletAddress());
    }
    assertFails(egress(http(new EgressConnection.Uds(socket))), PATIENCE, "dial tcp");
  }

  @Test
  void whatAProxySaysInsteadIsTheError() throws Exception {
    try (var proxy = ConnectProxy.onTcp(null)) {
      var egress = egress(http(new EgressConnection.Tcp("127.0.0.1", proxy.port(), null)));
      proxy.refuse("HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n");
      assertFails(
          egress,
          PATIENCE,
          "proxy error from 127.0.0.1:%d while dialing %s, code 403: 403 Forbidden"
              .formatted(proxy.port(), kubeletAddress()));
      proxy.refuse("HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\n\r\n");
      assertFails(egress, PATIENCE, "code 302: 302 Found");
      proxy.refuse("HTTP/1.1 200 OK\r\n\r\nsmuggled");
      assertFails(egress, PATIENCE, "unexpected 8 bytes of buffered data from CONNECT proxy");
      proxy.refuse("SSH-2.0-OpenSSH\r\n\r\n");
      assertFails(egress, PATIENCE, "malformed HTTP response");
      proxy.refuse("HTTP/1.1 200 OK\r\nx: " + "y".repeat(100_000));
      assertFails(egress, PATIENCE, "the answer is too long");
      proxy.refuse("HTTP");
      assertFails(egress, PATIENCE, "the proxy closed the connection");
    }
  }

  @Test
  void passesThroughKonnectivity() throws Exception {
    var socket = folder.resolve("k");
    try (var proxy = new KonnectivityProxy(socket)) {
      assertPasses(egress(new EgressConnection.Grpc(socket)));
      assertThat(proxy.asked).containsExactly(kubeletAddress(), kubeletAddress());
    }
  }

  @Test
  void theOtherSideOfKonnectivityIsToldWhenAConnectionIsGivenUp() throws Exception {
    var socket = folder.resolve("k");
    try (var proxy = new KonnectivityProxy(socket);
        var backends = backends(egress(new EgressConnection.Grpc(socket)), PATIENCE)) {
      var destination =
          new Destination(
              Backend.KUBELET, true, "127.0.0.1", kubelet.getAddress().getPort(), "/", "");
      try (var call = backends.call(backends.resolve(destination))) {
        call.connect();
      }
      Awaitility.await()
          .untilAsserted(
              () ->
                  assertThat(proxy.goodbyes)
                      .singleElement()
                      .isInstanceOf(ProxyPacket.CloseRequest.class));
    }
  }

  @Test
  void whatKonnectivitySaysInsteadIsTheError() throws Exception {
    var socket = folder.resolve("k");
    try (var proxy = new KonnectivityProxy(socket)) {
      proxy.error = "No agent available";
      assertFails(egress(new EgressConnection.Grpc(socket)), PATIENCE, "No agent available");
      proxy.error = "silence";
      assertFails(egress(new EgressConnection.Grpc(socket)), Duration.ofMillis(300), "i/o timeout");
      Awaitility.await()
          .untilAsserted(
              () -> assertThat(proxy.goodbyes).anyMatch(ProxyPacket.CloseDial.class::isInstance));
    }
    assertFails(egress(new EgressConnection.Grpc(socket)), PATIENCE, "dial tcp");
  }
}
