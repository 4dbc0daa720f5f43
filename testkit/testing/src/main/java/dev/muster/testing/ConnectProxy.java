package dev.muster.testing;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import org.jspecify.annotations.Nullable;

/** An HTTP CONNECT proxy on a TCP port, with or without TLS, or on a Unix socket. */
public final class ConnectProxy implements AutoCloseable {
  /** One client connection. */
  private record Client(ReadableByteChannel in, WritableByteChannel out, Closeable socket) {}

  private interface Listener extends AutoCloseable {
    Client accept() throws IOException;

    @Override
    void close() throws IOException;
  }

  private final Listener listener;
  private final int port;
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final List<Closeable> open = new CopyOnWriteArrayList<>();
  private volatile String refusal = "";

  private ConnectProxy(Listener listener, int port) {
    this.listener = listener;
    this.port = port;
    Thread.ofVirtual().start(this::serve);
  }

  /**
   * A proxy on a free loopback port.
   *
   * @param tls null for none; otherwise clients must show a certificate
   */
  public static ConnectProxy onTcp(@Nullable SSLContext tls) throws IOException {
    var loopback = InetAddress.getLoopbackAddress();
    var socket =
        tls == null
            ? new ServerSocket(0, 50, loopback)
            : tls.getServerSocketFactory().createServerSocket(0, 50, loopback);
    if (socket instanceof SSLServerSocket secured) {
      secured.setNeedClientAuth(true);
    }
    return new ConnectProxy(
        new Listener() {
          @Override
          public Client accept() throws IOException {
            var client = socket.accept();
            return new Client(
                Channels.newChannel(client.getInputStream()),
                Channels.newChannel(client.getOutputStream()),
                client);
          }

          @Override
          public void close() throws IOException {
            socket.close();
          }
        },
        socket.getLocalPort());
  }

  public static ConnectProxy onSocket(Path file) throws IOException {
    var socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    socket.bind(UnixDomainSocketAddress.of(file));
    return new ConnectProxy(
        new Listener() {
          @Override
          public Client accept() throws IOException {
            var client = socket.accept();
            return new Client(client, client, client);
          }

          @Override
          public void close() throws IOException {
            socket.close();
          }
        },
        0);
  }

  public int port() {
    return port;
  }

  /** The requested destinations. */
  public List<String> asked() {
    return List.copyOf(asked);
  }

  /**
   * Answers all further requests with this text.
   *
   * @param answer the complete response
   */
  public void refuse(String answer) {
    refusal = answer;
  }

  private void serve() {
    try {
      while (true) {
        var client = listener.accept();
        open.add(client.socket());
        Thread.ofVirtual().start(() -> serve(client));
      }
    } catch (IOException _) {
      // The test has ended.
    }
  }

  private void serve(Client client) {
    try (var _ = client.in()) {
      var head = head(client.in());
      var destination = head.split(" ", 3)[1];
      asked.add(destination);
      if (!refusal.isEmpty()) {
        write(client.out(), refusal);
        return;
      }
      int colon = destination.lastIndexOf(':');
      try (var target =
          SocketChannel.open(
              new InetSocketAddress(
                  destination.substring(0, colon),
                  Integer.parseInt(destination.substring(colon + 1))))) {
        write(client.out(), "HTTP/1.1 200 Connection established\r\n\r\n");
        Thread.ofVirtual().start(() -> copy(target, client.out()));
        copy(client.in(), target);
      }
    } catch (IOException _) {
      // One of the two connections is closed or failed.
    }
  }

  private static String head(ReadableByteChannel in) throws IOException {
    var head = new StringBuilder();
    var one = ByteBuffer.allocate(1);
    while (head.indexOf("\r\n\r\n") < 0) {
      one.clear();
      if (in.read(one) < 0) {
        throw new IOException("the client closed the connection");
      }
      head.append((char) one.get(0));
    }
    return head.toString();
  }

  private static void write(WritableByteChannel out, String text) throws IOException {
    out.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
  }

  private static void copy(ReadableByteChannel from, WritableByteChannel to) {
    var buffer = ByteBuffer.allocate(16 * 1024);
    try {
      while (from.read(buffer) >= 0) {
        buffer.flip();
        while (buffer.hasRemaining()) {
          to.write(buffer);
        }
        buffer.clear();
      }
      to.close();
    } catch (IOException _) {
      // One of the two connections is closed.
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (var socket : open) {
      socket.close();
    }
  }
}
