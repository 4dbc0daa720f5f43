package dev.muster.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.registry.commit.Deadline;
import dev.muster.registry.connect.Destination;
import dev.muster.registry.connect.Destination.Backend;
import dev.muster.server.egress.Egress;
import dev.muster.server.options.NodeOptions;
import dev.muster.server.proxy.BackendException;
import dev.muster.server.proxy.Backends;
import dev.muster.server.proxy.PassedRequests;
import dev.muster.server.proxy.ProxyTimeouts;
import dev.muster.server.proxy.Upload;
import dev.muster.server.request.Request;
import dev.muster.server.request.RequestInfo;
import dev.muster.types.options.Query;
import dev.muster.wire.SupportedMediaTypes;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Streams that are passed on to a backend go on while they are used, and no longer. */
@Tag("slow")
@Timeout(120)
class TunnelsTest {
  private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");
  private static final Duration IDLE = Duration.ofSeconds(2);
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final Executor THREADS = Thread::startVirtualThread;

  private final ProxyTimeouts timeouts = new ProxyTimeouts(LONG, LONG, LONG, IDLE);
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final Backends backends =
      new Backends(NodeOptions.defaults(), name -> List.of(LOOPBACK), Egress.DIRECT, timeouts);
  private ServerSocket backend;

  @BeforeEach
  void listen() throws IOException {
    backend = new ServerSocket(0, 10, LOOPBACK);
    THREADS.execute(this::serve);
  }

  @AfterEach
  void stop() throws IOException {
    backend.close();
    backends.close();
    assertThat(failure.get()).isNull();
  }

  /** Agrees to switch, and says nothing but an X when it hears one. */
  private void serve() {
    try (var socket = backend.accept()) {
      var in = socket.getInputStream();
      int ends = 0;
      while (ends < 2) {
        int next = in.read();
        ends = next == '\n' ? ends + 1 : next == '\r' ? ends : 0;
      }
      socket
          .getOutputStream()
          .write(
              "HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: x\r\n\r\n"
                  .getBytes(US_ASCII));
      for (int next = in.read(); next >= 0; next = in.read()) {
        if (next == 'X') {
          socket.getOutputStream().write(next);
        }
      }
    } catch (IOException e) {
      // The other side has gone.
    }
  }

  private void pass(HttpExchange exchange) {
    var request =
        new Request(
            exchange,
            RequestInfo.of(exchange.method(), exchange.path(), false),
            Query.NONE,
            "id",
            Deadline.after(LONG),
            new NoOwner());
    THREADS.execute(
        () -> {
          var to =
              new Destination(
                  Backend.KUBELET, false, "127.0.0.1", backend.getLocalPort(), "/x", "");
          try (var call = backends.call(backends.resolve(to))) {
            new PassedRequests(THREADS, timeouts, false)
                .answer(request, call, List.of(), new Upload());
          } catch (RejectedExecutionException e) {
            // The server has ended before its stream.
          } catch (BackendException | RuntimeException e) {
            failure.set(e);
          }
        });
  }

  private static RawHttp1 open(TestServer server) throws IOException {
    var client =
        new RawHttp1(server.port())
            .send("GET /exec HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: x\r\n\r\n");
    assertThat(client.answer().status()).isEqualTo(101);
    return client;
  }

  @Test
  void aStreamIsNotIdleWhileTheClientSends() throws Exception {
    try (var server = TestServer.start(this::pass);
        var client = open(server)) {
      long end = System.nanoTime() + IDLE.multipliedBy(2).toNanos();
      while (System.nanoTime() < end) {
        client.send(".");
        Thread.sleep(50);
      }
      client.send("X");
      assertThat(client.read(1)).containsExactly('X');
    }
  }

  @Test
  void aStreamThatNobodyUsesEnds() throws Exception {
    try (var server = TestServer.start(this::pass);
        var client = open(server)) {
      assertThat(client.closes()).isTrue();
    }
  }

  private static final class NoOwner implements Request.Owner {
    @Override
    public SupportedMediaTypes offer() {
      return SupportedMediaTypes.STANDARD;
    }

    @Override
    public void answered(Request request, int status, long length) {}

    @Override
    public void reroute(Request request) {
      throw new AssertionError("nothing else is there to answer");
    }
  }
}
