package dev.muster.server.proxy;

import dev.muster.model.address.Ip;
import dev.muster.server.egress.Egress;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Resolves names and opens connections. Thread-safe. It starts its threads when they are first
 * needed: one event loop, and a few threads for lookups, which block any kind of thread.
 */
public final class Dialer implements AutoCloseable {
  private static final int LOOKUPS = 4;
  private static final int KEEP_ALIVE_SECONDS = 15;
  private static final int KEEP_ALIVE_PROBES = 9;

  /** Names that may be resolved: without blanks and special characters. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,252}");

  private final String purpose;
  private final Network network;
  private final Egress egress;
  private final ExecutorService handshakes = Executors.newVirtualThreadPerTaskExecutor();
  private @Nullable EventLoopGroup loop;
  private @Nullable ExecutorService lookups;

  /**
   * @param purpose of its connections, for the names of its threads
   * @param egress that its connections use
   */
  public Dialer(String purpose, Network network, Egress egress) {
    this.purpose = purpose;
    this.network = network;
    this.egress = egress;
  }

  /**
   * The addresses of a host, which may itself be an address; blocks.
   *
   * @throws BackendException when the host does not exist
   */
  public List<InetAddress> lookup(String host, Duration patience) throws BackendException {
    try {
      return List.of(Ip.parse(host).toInetAddress());
    } catch (IllegalArgumentException e) {
      // Not an address, so it may be a name.
    }
    try {
      if (NAME.matcher(host).matches()) {
        var found = lookups().submit(() -> network.lookup(host));
        try {
          var addresses = found.get(patience.toNanos(), TimeUnit.NANOSECONDS);
          if (!addresses.isEmpty()) {
            return addresses;
          }
        } finally {
          found.cancel(true);
        }
      }
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof UnknownHostException)) {
        throw new BackendException("lookup " + host + ": " + e.getCause());
      }
    } catch (TimeoutException e) {
      throw new BackendException("lookup " + host + ": i/o timeout");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BackendException("the server is stopping");
    }
    throw new BackendException("lookup " + host + ": no such host");
  }

  /**
   * Begins to connect. The connection reads only on request; the caller adds protocol handlers
   * after it is connected.
   */
  public ChannelFuture connect(InetSocketAddress address, Duration patience) {
    int millis = Math.clamp(patience.toMillis(), 1, Integer.MAX_VALUE);
    return bootstrap(patience)
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, millis)
        .connect(network.route(address));
  }

  /** Threads for the costly parts of TLS handshakes. */
  public Executor handshakes() {
    return handshakes;
  }

  private Bootstrap bootstrap(Duration patience) {
    var bootstrap =
        new Bootstrap()
            .group(loop())
            .channelFactory(egress::channel)
            .option(ChannelOption.AUTO_READ, false)
            .handler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    // The caller adds its own handlers after the connection is established.
                    egress.prepare(channel, patience);
                  }
                });
    if (!egress.isTcp()) {
      return bootstrap;
    }
    bootstrap.option(ChannelOption.SO_KEEPALIVE, true).option(ChannelOption.TCP_NODELAY, true);
    return Epoll.isAvailable()
        ? bootstrap
            .option(EpollChannelOption.TCP_KEEPIDLE, KEEP_ALIVE_SECONDS)
            .option(EpollChannelOption.TCP_KEEPINTVL, KEEP_ALIVE_SECONDS)
            .option(EpollChannelOption.TCP_KEEPCNT, KEEP_ALIVE_PROBES)
        : bootstrap;
  }

  private synchronized EventLoopGroup loop() {
    var group = loop;
    if (group == null) {
      group =
          new MultiThreadIoEventLoopGroup(
              1,
              new DefaultThreadFactory("muster-" + purpose, true),
              Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
      loop = group;
    }
    return group;
  }

  private synchronized ExecutorService lookups() {
    var pool = lookups;
    if (pool == null) {
      pool =
          Executors.newFixedThreadPool(
              LOOKUPS, Thread.ofPlatform().daemon().name(purpose + "-lookup-", 0).factory());
      lookups = pool;
    }
    return pool;
  }

  /** Closes all connections. */
  @Override
  public synchronized void close() {
    if (loop != null) {
      loop.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
    }
    if (lookups != null) {
      lookups.shutdownNow();
    }
    handshakes.shutdownNow();
  }
}
