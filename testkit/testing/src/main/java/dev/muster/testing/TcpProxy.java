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
 * A connection to a server that a test can break in the middle: requests or answers are swallowed
 * while the other direction goes on, connections are cut, new ones refused.
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

  /** A proxy before the server of that URL. */
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

  /** Takes new connections to another server. */
  public void leadTo(String other) {
    target = URI.create(other);
  }

  /** Lets nothing more through to the server. */
  public void swallowRequests(boolean swallow) {
    swallowsRequests = swallow;
  }

  /** Lets nothing more through to clients. */
  public void swallowAnswers(boolean swallow) {
    swallowsAnswers = swallow;
  }

  /** Refuses new connections. */
  public void refuse(boolean refuse) {
    refuses = refuse;
  }

  /** Ends all connections there are. */
  public void cut() {
    sockets.forEach(TcpProxy::closeQuietly);
    sockets.clear();
  }

  /** How many bytes were swallowed so far. */
  public long swallowed() {
    return swallowed.get();
  }

  /** How many connections were taken so far. */
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

  /** A client whose server is down learns so. */
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
      // One side is gone; the other one goes with it.
    } finally {
      closeQuietly(from);
      closeQuietly(to);
    }
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException _) {
      // It is closed as far as we care.
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
