package dev.muster.server.webhook;

import dev.muster.pki.Authority;
import dev.muster.pki.CertificateNames;
import dev.muster.pki.Identity;
import dev.muster.pki.Pem;
import dev.muster.testing.TestTls;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;

/** A webhook on real sockets with real certificates that does what a test wants of it. */
final class TestHook implements AutoCloseable {
  static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");
  static final Authority AUTHORITY = authority();
  static final String PEM = Pem.of(AUTHORITY.certificate());

  /** Answers what it is asked on one connection; returns or throws to close it. */
  interface Behaviour {
    void serve(InputStream in, OutputStream out, int requestOfConnection) throws Exception;
  }

  final AtomicInteger connections = new AtomicInteger();
  final AtomicInteger requests = new AtomicInteger();
  private final Set<SSLSocket> open = ConcurrentHashMap.newKeySet();
  private final SSLServerSocket socket;

  private TestHook(SSLServerSocket socket, Behaviour behaviour) {
    this.socket = socket;
    Thread.startVirtualThread(() -> accept(behaviour));
  }

  private static Authority authority() {
    return Authority.create("hook-ca", Instant.now(), Duration.ofDays(1));
  }

  static Identity identity(List<String> names) {
    return AUTHORITY.server(
        "hook",
        CertificateNames.of(names, names.contains("localhost") ? List.of(LOOPBACK) : List.of()),
        Instant.now(),
        Duration.ofHours(1));
  }

  /** For localhost and for the service hook of namespace ns. */
  static TestHook start(Behaviour behaviour) {
    return start(0, identity(List.of("localhost", "hook.ns.svc")), behaviour);
  }

  static TestHook start(int port, Identity identity, Behaviour behaviour) {
    try {
      var socket =
          TestTls.showing(identity.key(), identity.chain())
              .getServerSocketFactory()
              .createServerSocket(port, 50, LOOPBACK);
      return new TestHook((SSLServerSocket) socket, behaviour);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void accept(Behaviour behaviour) {
    try {
      while (true) {
        var accepted = (SSLSocket) socket.accept();
        open.add(accepted);
        connections.incrementAndGet();
        Thread.startVirtualThread(() -> serve(accepted, behaviour));
      }
    } catch (IOException e) {
      // The test is over.
    }
  }

  private void serve(SSLSocket accepted, Behaviour behaviour) {
    try (accepted) {
      var in = accepted.getInputStream();
      for (int i = 0; readRequest(in); i++) {
        requests.incrementAndGet();
        behaviour.serve(in, accepted.getOutputStream(), i);
      }
    } catch (Exception e) {
      // The client, or the test, has had enough.
    } finally {
      open.remove(accepted);
    }
  }

  /** Reads a whole request; false when there is none. */
  private static boolean readRequest(InputStream in) throws IOException {
    var head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int c = in.read();
      if (c < 0) {
        return false;
      }
      head.append((char) c);
    }
    int length = 0;
    for (var line : head.toString().split("\r\n")) {
      if (line.toLowerCase(Locale.ROOT).startsWith("content-length: ")) {
        length = Integer.parseInt(line.substring("content-length: ".length()));
      }
    }
    return in.readNBytes(length).length == length;
  }

  static void answer(OutputStream out, String status, String headers, String body)
      throws IOException {
    var text =
        "HTTP/1.1 "
            + status
            + "\r\ncontent-length: "
            + body.length()
            + "\r\n"
            + headers
            + "\r\n"
            + body;
    out.write(text.getBytes(StandardCharsets.ISO_8859_1));
    out.flush();
  }

  int port() {
    return socket.getLocalPort();
  }

  /** Connections that are open now. */
  int open() {
    return open.size();
  }

  @Override
  public void close() throws IOException {
    socket.close();
    for (var each : open) {
      each.close();
    }
  }
}
