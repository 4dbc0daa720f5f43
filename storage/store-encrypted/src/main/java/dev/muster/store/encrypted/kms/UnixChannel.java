package dev.muster.store.encrypted.kms;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.util.concurrent.TimeUnit;

/**
 * A gRPC channel over a Unix socket, with one thread of its own. It uses epoll on Linux and the
 * JDK's channels on other systems. Thread-safe.
 */
final class UnixChannel implements AutoCloseable {
  private static final int MOST_ANSWER = 1 << 20;

  private final EventLoopGroup loop;
  private final ManagedChannel channel;

  private UnixChannel(
      IoHandlerFactory handlers, Class<? extends Channel> type, SocketAddress address) {
    var threads = Thread.ofPlatform().daemon().name("kms-", 0).factory();
    loop = new MultiThreadIoEventLoopGroup(1, threads, handlers);
    channel =
        NettyChannelBuilder.forAddress(address)
            .eventLoopGroup(loop)
            .channelType(type)
            .overrideAuthority("localhost")
            .usePlaintext()
            .directExecutor()
            .disableRetry()
            .maxInboundMessageSize(MOST_ANSWER)
            .idleTimeout(365, TimeUnit.DAYS)
            .build();
  }

  /**
   * @throws IllegalArgumentException when that is not the address of a Unix socket
   */
  static UnixChannel to(String endpoint) {
    var url = URI.create(endpoint);
    var path = url.getPath();
    if (!"unix".equals(url.getScheme()) || path == null || path.isEmpty()) {
      throw new IllegalArgumentException(
          "\"" + endpoint + "\" is not the address of a Unix socket, such as unix:///run/kms.sock");
    }
    boolean isAbstract = path.startsWith("/@");
    if (Epoll.isAvailable()) {
      // An abstract name begins with a zero byte and is in no folder (unix(7)).
      var name = isAbstract ? "\0" + path.substring(2) : path;
      return new UnixChannel(
          EpollIoHandler.newFactory(),
          EpollDomainSocketChannel.class,
          new DomainSocketAddress(name));
    }
    if (isAbstract) {
      throw new IllegalArgumentException(
          "\"" + endpoint + "\": abstract sockets are a thing of Linux only");
    }
    return new UnixChannel(
        NioIoHandler.newFactory(), NioDomainSocketChannel.class, UnixDomainSocketAddress.of(path));
  }

  ManagedChannel channel() {
    return channel;
  }

  @Override
  public void close() {
    channel.shutdownNow();
    loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }
}
