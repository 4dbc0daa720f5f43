package dev.muster.server.answers;

import dev.muster.pki.Identity;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * What stands on a node: a kubelet, or what a pod serves, on the loopback. Each connection has a
 * virtual thread, takes one request and does with its socket what the test says.
 */
final class TestBackend implements AutoCloseable {
  /** A request as it came in, with lower-case names of headers, and whose certificate was shown. */
  record Seen(String line, List<String> headers, String body, String client) {
    String target() {
      return line.split(" ")[1];
    }

    /** All values of that header. */
    List<String> header(String name) {
      return headers.stream()
          .filter(header -> header.startsWith(name + ": "))
          .map(header -> header.substring(name.length() + 2))
          .toList();
    }
  }

  /** What happens to a connection after its request; it is closed when this returns. */
  interface Behaviour {
    void answer(Seen request, Connection connection) throws IOException;
  }

  /** The backend's side of a connection. */
  record Connection(InputStream in, OutputStream out) {
    Connection send(String text) throws IOException {
      out.write(text.getBytes(StandardCharsets.ISO_8859_1));
      out.flush();
      return this;
    }

    /** Sends nothing more, and returns when the other side hangs up. */
    void hold() throws IOException {
      while (in.read() >= 0) {
        // Whatever is still sent does not matter.
      }
    }
  }

  private final ServerSocket listener;
  private final Behaviour behaviour;
  private final List<Seen> seen = new CopyOnWriteArrayList<>();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  private TestBackend(ServerSocket listener, Behaviour behaviour) {
    this.listener = listener;
    this.behaviour = behaviour;
    Thread.ofVirtual().start(this::accept);
  }

  static TestBackend plain(Behaviour behaviour) throws IOException {
    return new TestBackend(new ServerSocket(0, 500, loopback()), behaviour);
  }

  /** With that certificate; asks for one of the client, and takes any or none. */
  static TestBackend tls(Identity identity, Behaviour behaviour)
      throws IOException, GeneralSecurityException {
    var keys = KeyStore.getInstance("PKCS12");
    keys.load(null, null);
    keys.setKeyEntry(
        "own", identity.key(), new char[0], identity.chain().toArray(X509Certificate[]::new));
    var factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(keys, new char[0]);
    var context = SSLContext.getInstance("TLS");
    context.init(factory.getKeyManagers(), new TrustManager[] {new Anybody()}, null);
    var listener =
        (SSLServerSocket) context.getServerSocketFactory().createServerSocket(0, 500, loopback());
    listener.setWantClientAuth(true);
    return new TestBackend(listener, behaviour);
  }

  /** Answers every request with that text. */
  static Behaviour saying(String text) {
    return (request, connection) ->
        connection.send(
            "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: "
                + text.length()
                + "\r\n\r\n"
                + text);
  }

  private static InetAddress loopback() {
    return InetAddress.ofLiteral("127.0.0.1");
  }

  int port() {
    return listener.getLocalPort();
  }

  /** The requests so far. */
  List<Seen> seen() {
    return seen;
  }

  /** The only request so far. */
  Seen only() {
    if (seen.size() != 1) {
      throw new AssertionError("not one request: " + seen);
    }
    return seen.getFirst();
  }

  /** How many connections are open. */
  int open() {
    return open.size();
  }

  private void accept() {
    try {
      while (true) {
        var socket = listener.accept();
        open.add(socket);
        Thread.ofVirtual().start(() -> serve(socket));
      }
    } catch (IOException e) {
      // Closed with the test.
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      var in = socket.getInputStream();
      var line = line(in);
      var headers = new ArrayList<String>();
      int length = 0;
      for (var header = line(in); !header.isEmpty(); header = line(in)) {
        int colon = header.indexOf(':');
        var name = header.substring(0, colon).toLowerCase(Locale.ROOT);
        var value = header.substring(colon + 1).strip();
        headers.add(name + ": " + value);
        if (name.equals("content-length")) {
          length = Integer.parseInt(value);
        }
      }
      var body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
      var request = new Seen(line, headers, body, client(socket));
      seen.add(request);
      behaviour.answer(request, new Connection(in, socket.getOutputStream()));
    } catch (IOException e) {
      // The other side does as it likes.
    } finally {
      open.remove(socket);
    }
  }

  private static String client(Socket socket) {
    try {
      return socket instanceof SSLSocket tls ? tls.getSession().getPeerPrincipal().getName() : "";
    } catch (SSLPeerUnverifiedException e) {
      return "";
    }
  }

  private static String line(InputStream in) throws IOException {
    var line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException();
      }
      line.append((char) next);
    }
    return line.toString().stripTrailing();
  }

  @Override
  public void close() {
    try {
      listener.close();
      for (var socket : open) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class Anybody implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate @Nullable [] chain, @Nullable String type) {}

    @Override
    public void checkServerTrusted(X509Certificate @Nullable [] chain, @Nullable String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
