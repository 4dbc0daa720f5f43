package dev.muster.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * A TCP proxy in which tests cause failures: it can drop requests or responses in one direction,
 * cut connections, and refuse new ones.
 */
public final class TcpProxy implements AutoCloseable {
  private volatile URI target;
  private final ServerSocket listener;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final AtomicLong swallowed = new AtomicLong();
  private final AtomicInteger taken = new AtomicInteger();
  private volatile boolean swallowsRequests;
  private volatile boolean swallowsAnswers;
  private volatile boolean refuses;

  /** A proxy in front of the server with that URL. */
  public TcpProxy(String target) {
    this.target = URI.create(target);
    try {
      listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(this::accept);
  }

  /** The URL under which clients reach the server through this proxy. */
  public String endpoint() {
    return target.getScheme() + "://127.0.0.1:" + listener.getLocalPort();
  }

  /** Connects new clients to another server. */
  public void leadTo(String other) {
    target = URI.create(other);
  }

  /** Drops the bytes to the server. */
  public void swallowRequests(boolean swallow) {
    swallowsRequests = swallow;
  }

  /** Drops the bytes to clients. */
  public void swallowAnswers(boolean swallow) {
    swallowsAnswers = swallow;
  }

  /** Refuses new connections. */
  public void refuse(boolean refuse) {
    refuses = refuse;
  }

  /** Cuts all open connections. */
  public void cut() {
    sockets.forEach(TcpProxy::closeQuietly);
    sockets.clear();
  }

  /** The number of dropped bytes so far. */
  public long swallowed() {
    return swallowed.get();
  }

  /** The number of accepted connections so far. */
  public int taken() {
    return taken.get();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        var client = listener.accept();
        if (refuses) {
          closeQuietly(client);
          continue;
        }
        taken.incrementAndGet();
        sockets.add(client);
        var server = connect(client);
        sockets.add(server);
        Thread.ofVirtual().start(() -> pump(client, server, () -> swallowsRequests));
        Thread.ofVirtual().start(() -> pump(server, client, () -> swallowsAnswers));
      } catch (IOException _) {
        // The server is down, or the proxy is closed.
      }
    }
  }

  /** Closes the client's connection if the server is down. */
  private Socket connect(Socket client) throws IOException {
    try {
      return new Socket(target.getHost(), target.getPort());
    } catch (IOException e) {
      sockets.remove(client);
      closeQuietly(client);
      throw e;
    }
  }

  private void pump(Socket from, Socket to, BooleanSupplier swallows) {
    try {
      InputStream input = from.getInputStream();
      var output = to.getOutputStream();
      var buffer = new byte[16 << 10];
      for (var read = input.read(buffer); read >= 0; read = input.read(buffer)) {
        if (swallows.getAsBoolean()) {
          swallowed.addAndGet(read);
        } else {
          output.write(buffer, 0, read);
        }
      }
    } catch (IOException _) {
      // When one side closes, the other one is closed, too.
    } finally {
      closeQuietly(from);
      closeQuietly(to);
    }
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException _) {
      // An error while closing does not matter.
    }
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    cut();
  }
}
