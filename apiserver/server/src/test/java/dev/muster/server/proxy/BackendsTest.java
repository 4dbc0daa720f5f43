package dev.muster.server.proxy;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.registry.connect.Destination;
import dev.muster.registry.connect.Destination.Backend;
import dev.muster.server.egress.Egress;
import dev.muster.server.options.NodeOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backends that do not do what they should. */
class BackendsTest {
  private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");
  private static final Duration SHORT = Duration.ofMillis(200);
  private static final Duration LONG = Duration.ofMinutes(1);

  @TempDir private Path folder;

  private static Backends backends(ProxyTimeouts timeouts) {
    return new Backends(NodeOptions.defaults(), name -> List.of(LOOPBACK), Egress.DIRECT, timeouts);
  }

  private static Destination at(int port, boolean encrypted) {
    return new Destination(Backend.KUBELET, encrypted, "127.0.0.1", port, "/x", "");
  }

  /** Accepts connections, in its backlog, and never says a word. */
  private static ServerSocket mute() throws IOException {
    return new ServerSocket(0, 10, LOOPBACK);
  }

  @Test
  void whoRefusesIsNamed() throws Exception {
    int port;
    try (var socket = mute()) {
      port = socket.getLocalPort();
    }
    try (var backends = backends(ProxyTimeouts.standard());
        var call = backends.call(backends.resolve(at(port, true)))) {
      assertThatThrownBy(call::connect)
          .hasMessage("dial tcp 127.0.0.1:" + port + ": connect: connection refused");
    }
  }

  @Test
  void anAnswerThatDoesNotBeginIsNotWaitedForForEver() throws Exception {
    try (var socket = mute();
        var backends = backends(ProxyTimeouts.standard());
        var call = backends.call(backends.resolve(at(socket.getLocalPort(), false)))) {
      call.connect();
      assertThatThrownBy(() -> call.send(BackendRequest.get("x"), SHORT))
          .hasMessage("net/http: timeout awaiting response headers");
      try (var accepted = socket.accept()) {
        accepted.setSoTimeout(30_000);
        assertThat(accepted.getInputStream().readAllBytes()).isNotEmpty();
      }
    }
  }

  @Test
  void aHandshakeThatDoesNotEndIsNotWaitedForForEver() throws Exception {
    try (var socket = mute();
        var backends = backends(new ProxyTimeouts(LONG, SHORT, LONG, LONG));
        var call = backends.call(backends.resolve(at(socket.getLocalPort(), true)))) {
      call.connect();
      assertThatThrownBy(() -> call.send(BackendRequest.get("x"), LONG))
          .isInstanceOf(BackendException.class)
          .hasMessageContaining("handshake timed out");
    }
  }

  @Test
  void aBodyThatStopsIsNotWaitedForForEver() throws Exception {
    try (var socket = mute();
        var backends = backends(new ProxyTimeouts(LONG, LONG, LONG, SHORT));
        var call = backends.call(backends.resolve(at(socket.getLocalPort(), false)))) {
      call.connect();
      try (var accepted = socket.accept()) {
        accepted
            .getOutputStream()
            .write("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf".getBytes(US_ASCII));
        assertThat(call.send(BackendRequest.get("x"), LONG).status()).isEqualTo(200);
        assertThat(call.next()).hasSize(4);
        assertThatThrownBy(call::next).hasMessage("i/o timeout");
      }
    }
  }

  @Test
  void whatIsCancelledBeforeItIsConnectedConnectsToNobody() throws Exception {
    try (var socket = mute();
        var backends = backends(ProxyTimeouts.standard());
        var call = backends.call(backends.resolve(at(socket.getLocalPort(), false)))) {
      call.cancel();
      assertThatThrownBy(call::connect).hasMessage("the client has gone");
    }
  }

  @Test
  void theNextAddressIsTriedWhenNobodyListensAtTheFirst() throws Exception {
    try (var socket = mute()) {
      var good = InetAddress.ofLiteral("203.0.113.2");
      Network network =
          new Network() {
            @Override
            public List<InetAddress> lookup(String name) {
              return List.of(InetAddress.ofLiteral("203.0.113.1"), good);
            }

            @Override
            public InetSocketAddress route(InetSocketAddress address) {
              return new InetSocketAddress(
                  LOOPBACK, address.getAddress().equals(good) ? socket.getLocalPort() : 1);
            }
          };
      var named = new Destination(Backend.WORKLOAD, false, "two.example", 80, "", "");
      try (var backends =
              new Backends(
                  NodeOptions.defaults(), network, Egress.DIRECT, ProxyTimeouts.standard());
          var call = backends.call(backends.resolve(named))) {
        call.connect();
        socket.accept().close();
      }
    }
  }

  @Test
  void aLookupThatTakesTooLongIsGivenUp() {
    Network slow =
        name -> {
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return List.of(LOOPBACK);
        };
    var named = new Destination(Backend.WORKLOAD, false, "slow.example", 80, "", "");
    try (var backends =
        new Backends(
            NodeOptions.defaults(),
            slow,
            Egress.DIRECT,
            new ProxyTimeouts(SHORT, SHORT, SHORT, SHORT))) {
      assertThatThrownBy(() -> backends.resolve(named))
          .hasMessage("lookup slow.example: i/o timeout");
    }
  }

  @Test
  void filesThatHoldNoCertificateStopTheStart() throws Exception {
    var empty = Files.writeString(folder.resolve("empty.crt"), "");
    assertThatThrownBy(
            () ->
                new Backends(
                    NodeOptions.defaults().withKubeletFiles(empty, null, null),
                    Network.SYSTEM,
                    Egress.DIRECT,
                    ProxyTimeouts.standard()))
        .hasMessage("--kubelet-certificate-authority: " + empty + " holds no certificate");
  }
}
