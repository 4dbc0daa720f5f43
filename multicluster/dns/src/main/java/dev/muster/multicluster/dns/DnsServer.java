package dev.muster.multicluster.dns;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.SocketProtocolFamily;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.dns.DatagramDnsResponseEncoder;
import java.net.BindException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A DNS server that listens by UDP and TCP on the same port of all addresses. Its event loops
 * answer. Any thread may start and close it.
 */
public final class DnsServer implements AutoCloseable {
  private static final int TRIES = 20;
  private static final int LARGEST_QUERY = 4096;
  private static final int DATAGRAMS_AT_ONCE = 32;
  private static final int RECEIVE_BUFFER = 1 << 20;

  private final ListenAddresses listen;
  private final EventLoopGroup loops;
  private final QueryDecoder decoder;
  private final QueryHandler datagrams;
  private final TcpConnections connections;
  private List<Channel> channels = List.of();

  private DnsServer(ListenAddresses listen, ZoneIndex index, DnsMetrics metrics) {
    this.listen = listen;
    loops =
        new MultiThreadIoEventLoopGroup(
            listen.threads(),
            Thread.ofPlatform().daemon().name("dns-", 0).factory(),
            Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
    var answers = new Answers(index, listen.largestDatagram());
    decoder = new QueryDecoder(metrics);
    datagrams = new QueryHandler(answers, metrics, true);
    connections =
        new TcpConnections(
            decoder,
            new QueryHandler(answers, metrics, false),
            metrics,
            listen.idle(),
            listen.connections());
  }

  /**
   * Listens when it returns.
   *
   * @throws BindException naming the address that is not available
   */
  public static DnsServer start(ListenAddresses listen, ZoneIndex index, DnsMetrics metrics)
      throws BindException {
    var server = new DnsServer(listen, index, metrics);
    try {
      server.bind();
      return server;
    } catch (BindException e) {
      server.close();
      throw e;
    }
  }

  /**
   * With port 0, the free port of the first socket may be in use for another one; then it tries
   * again.
   */
  private void bind() throws BindException {
    for (int i = 1; ; i++) {
      var bound = new ArrayList<Channel>();
      try {
        int port = listen.port();
        for (var address : listen.addresses()) {
          port = bind(address, port, bound);
        }
        channels = List.copyOf(bound);
        return;
      } catch (BindException e) {
        bound.forEach(channel -> channel.close().syncUninterruptibly());
        if (listen.port() != 0 || i == TRIES) {
          throw e;
        }
      }
    }
  }

  private int bind(InetAddress address, int port, List<Channel> bound) throws BindException {
    var server =
        new ServerBootstrap()
            .group(loops)
            .channel(
                Epoll.isAvailable() ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(connections);
    var first = await(server.bind(address, port), address, port);
    bound.add(first);
    int chosen = ((InetSocketAddress) first.localAddress()).getPort();
    int sockets = Epoll.isAvailable() ? listen.threads() : 1;
    for (int i = 0; i < sockets; i++) {
      bound.add(await(datagrams(address).bind(address, chosen), address, chosen));
    }
    return chosen;
  }

  private static Channel await(ChannelFuture binding, InetAddress address, int port)
      throws BindException {
    binding.awaitUninterruptibly();
    if (binding.isSuccess()) {
      return binding.channel();
    }
    var failure =
        new BindException(
            address.getHostAddress() + " port " + port + ": " + reason(binding.cause()));
    failure.initCause(binding.cause());
    throw failure;
  }

  private static String reason(Throwable cause) {
    return String.valueOf(cause.getMessage());
  }

  private Bootstrap datagrams(InetAddress address) {
    var family =
        address instanceof Inet6Address ? SocketProtocolFamily.INET6 : SocketProtocolFamily.INET;
    boolean epoll = Epoll.isAvailable();
    ChannelFactory<DatagramChannel> factory =
        epoll ? () -> new EpollDatagramChannel(family) : () -> new NioDatagramChannel(family);
    var bootstrap =
        new Bootstrap()
            .group(loops)
            .channelFactory(factory)
            .option(ChannelOption.SO_RCVBUF, RECEIVE_BUFFER)
            .option(
                ChannelOption.RECVBUF_ALLOCATOR,
                new FixedRecvByteBufAllocator(
                    epoll ? LARGEST_QUERY * DATAGRAMS_AT_ONCE : LARGEST_QUERY))
            .handler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel
                        .pipeline()
                        .addLast(decoder)
                        .addLast(new DatagramDnsResponseEncoder(new RecordCodec()))
                        .addLast(datagrams);
                  }
                });
    if (epoll) {
      bootstrap
          .option(EpollChannelOption.SO_REUSEPORT, true)
          .option(EpollChannelOption.MAX_DATAGRAM_PAYLOAD_SIZE, LARGEST_QUERY);
    }
    return bootstrap;
  }

  /** The port, the same for all addresses. */
  public int port() {
    return ((InetSocketAddress) channels.getFirst().localAddress()).getPort();
  }

  @Override
  public void close() {
    channels.forEach(channel -> channel.close().syncUninterruptibly());
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly(10, TimeUnit.SECONDS);
  }
}
