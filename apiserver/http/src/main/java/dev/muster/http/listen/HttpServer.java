package dev.muster.http.listen;

import dev.muster.http.HttpHandler;
import dev.muster.http.connection.ClientConnection;
import dev.muster.http.connection.ConnectionContext;
import dev.muster.http.http1.Http1Session;
import dev.muster.http.limits.BodyBudget;
import dev.muster.http.limits.ConnectionLimits;
import dev.muster.http.limits.HttpCounters;
import dev.muster.http.limits.OutgoingBudget;
import dev.muster.http.tls.TlsContexts;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Serves HTTP/1.1 and HTTP/2 on all its addresses, from {@link #start} to {@link #close}.
 * Thread-safe. An orderly end is {@link #stopAccepting}, {@link #goAway}, {@link #endStreams}, and
 * {@link #close}, which does any of these steps that was not done yet.
 */
public final class HttpServer implements AutoCloseable {
  private final EventLoopGroup group;
  private final Listeners listeners = new Listeners();
  private final ConnectionContext connectionContext;
  private final UnauthenticatedConnections unidentified;
  private final ConnectionLimits connections;
  private final @Nullable TlsContexts tls;
  private final IdentityHashMap<EventLoop, Watchdog> watchdogs = new IdentityHashMap<>();
  private final Set<ClientConnection> peers = ConcurrentHashMap.newKeySet();
  private volatile boolean goneAway;
  private boolean ended;

  private HttpServer(HttpServerOptions options, HttpHandler handler) throws IOException {
    var limits = options.limits();
    var counters = new HttpCounters();
    connections = limits.connections().within(ConnectionLimits.availableDescriptors());
    connectionContext =
        new ConnectionContext(
            handler,
            limits,
            options.errors(),
            counters,
            new BodyBudget(limits.maxBufferedBodyBytes(), limits.maxBodyBytes()),
            new OutgoingBudget(limits.maxOutgoingBytes()));
    unidentified =
        new UnauthenticatedConnections(
            connections,
            limits.timeouts().handshake().toNanos() / 10,
            System::nanoTime,
            counters.connectionsReplaced);
    unidentified.listeners(listeners::pause, listeners::resume);
    tls = options.tls() == null ? null : new TlsContexts(options.tls());
    var threads = new DefaultThreadFactory("muster-http", true);
    group =
        new MultiThreadIoEventLoopGroup(
            options.eventLoops(),
            threads,
            Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
    group.forEach(
        executor -> {
          if (executor instanceof EventLoop loop) {
            watchdogs.put(loop, new Watchdog(loop, limits.timeouts(), unidentified));
          }
        });
  }

  /**
   * Listens on all addresses.
   *
   * @throws IOException if one of them cannot be bound, naming it, or the TLS material is unusable
   */
  public static HttpServer start(HttpServerOptions options, HttpHandler handler)
      throws IOException {
    var server = new HttpServer(options, handler);
    try {
      server.listeners.bind(server.group, serverChannel(), server.new Acceptor(), options.binds());
    } catch (IOException e) {
      server.shutdown();
      throw e;
    }
    return server;
  }

  private static Class<? extends ServerChannel> serverChannel() {
    return Epoll.isAvailable() ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
  }

  /** The bound addresses, with actual ports; {@code ::} includes {@code 0.0.0.0}. */
  public List<InetSocketAddress> addresses() {
    return listeners.addresses();
  }

  public HttpCounters counters() {
    return connectionContext.counters();
  }

  /** The memory that request bodies use. */
  public long bodyBytes() {
    return connectionContext.bodies().taken();
  }

  /** The budget of data that waits to be sent. */
  public OutgoingBudget outgoing() {
    return connectionContext.outgoing();
  }

  /** Closes the listeners; connections stay open. */
  public void stopAccepting() {
    listeners.close();
  }

  /**
   * Asks all clients to send further requests on other connections: by GOAWAY, or by {@code
   * connection: close} in the next response. A connection closes after its last response.
   *
   * @param grace for requests that are on their way already
   */
  public synchronized void goAway(Duration grace) {
    goneAway = true;
    for (var clientConnection : peers) {
      clientConnection.execute(() -> clientConnection.drain(grace.toMillis()));
    }
  }

  /** Ends all open streams properly. */
  public void endStreams() {
    for (var clientConnection : peers) {
      clientConnection.execute(clientConnection::endStreams);
    }
  }

  /**
   * Stops the server and returns when it has stopped. After that time, it cuts off running
   * requests.
   */
  public void close(Duration drain) {
    stopAccepting();
    synchronized (this) {
      if (!goneAway) {
        goAway(Duration.ofMillis(Math.min(1000, drain.toMillis() / 4)));
      }
    }
    endStreams();
    long deadline = System.nanoTime() + drain.toNanos();
    for (var clientConnection : peers) {
      long left = deadline - System.nanoTime();
      clientConnection
          .channel()
          .closeFuture()
          .awaitUninterruptibly(Math.max(0, left), TimeUnit.NANOSECONDS);
    }
    shutdown();
  }

  @Override
  public void close() {
    close(Duration.ZERO);
  }

  private synchronized void shutdown() {
    if (ended) {
      return;
    }
    ended = true;
    for (var clientConnection : peers) {
      clientConnection.channel().close().awaitUninterruptibly(1, TimeUnit.SECONDS);
    }
    group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
    if (tls != null) {
      tls.close();
    }
  }

  /** Prepares each accepted connection, on its event loop. */
  private final class Acceptor extends ChannelInitializer<Channel> {
    @Override
    protected void initChannel(Channel channel) {
      var counters = connectionContext.counters();
      counters.connectionsAccepted.increment();
      int open = counters.open.incrementAndGet();
      // First of all, so that the count stays correct if the preparation fails.
      channel.closeFuture().addListener(closed -> counters.open.decrementAndGet());
      if (goneAway || (open > connections.open() && !unidentified.closeOldest())) {
        counters.connectionsRefused.increment();
        channel.eventLoop().execute(channel::close);
      } else {
        prepare(channel);
      }
    }

    private void prepare(Channel channel) {
      var connection =
          new UnauthenticatedConnection(
              ClientConnection.remoteAddress(channel), channel::close, System.nanoTime());
      channel.closeFuture().addListener(closed -> unidentified.leave(connection));
      unidentified.enter(connection);
      var clientConnection =
          new ClientConnection(channel, () -> unidentified.leave(connection), connectionContext);
      peers.add(clientConnection);
      channel
          .closeFuture()
          .addListener(
              closed -> {
                peers.remove(clientConnection);
                clientConnection.closed();
              });
      if (tls == null) {
        unidentified.handshaken(connection);
        Http1Session.begin(channel.pipeline(), clientConnection, connectionContext);
      } else {
        channel
            .pipeline()
            .addLast(
                tls.handler(channel, clientConnection::secured),
                new Handshake(clientConnection, connection, unidentified, connectionContext));
      }
      var watchdog = watchdogs.get(channel.eventLoop());
      if (watchdog != null) {
        watchdog.add(clientConnection);
      }
    }
  }
}
