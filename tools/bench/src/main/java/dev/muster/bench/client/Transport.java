package dev.muster.bench.client;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ApplicationProtocolNegotiationHandler;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.ByteArrayInputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;

/** Safe for use by many threads: opens TLS connections with HTTP/2 to one server. */
public final class Transport implements AutoCloseable {
  private final BenchTarget target;
  private final EventLoopGroup group;
  private final SslContext tls;

  public Transport(BenchTarget target, int threads) {
    this.target = target;
    this.tls = tls(target);
    IoHandlerFactory io =
        Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    this.group = new MultiThreadIoEventLoopGroup(threads, io);
  }

  /** Completes when the server has sent its settings. */
  public CompletableFuture<BenchConnection> connect() {
    var opened = new CompletableFuture<BenchConnection>();
    int port = target.server().getPort() < 0 ? 443 : target.server().getPort();
    var host = target.server().getHost().replaceAll("[\\[\\]]", "");
    new Bootstrap()
        .group(group)
        .channel(Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class)
        .option(ChannelOption.TCP_NODELAY, true)
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 10_000)
        .handler(new Initializer(host, port, opened))
        .connect(host, port)
        .addListener(
            connecting -> {
              if (!connecting.isSuccess()) {
                opened.completeExceptionally(connecting.cause());
              }
            });
    return opened;
  }

  @Override
  public void close() {
    group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
  }

  private static SslContext tls(BenchTarget target) {
    try {
      var builder =
          SslContextBuilder.forClient()
              .sslProvider(OpenSsl.isAvailable() ? SslProvider.OPENSSL : SslProvider.JDK)
              .applicationProtocolConfig(
                  new ApplicationProtocolConfig(
                      ApplicationProtocolConfig.Protocol.ALPN,
                      ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                      ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                      ApplicationProtocolNames.HTTP_2));
      if (target.insecure()) {
        builder.trustManager(InsecureTrustManagerFactory.INSTANCE);
      } else if (target.authority() != null) {
        builder.trustManager(new ByteArrayInputStream(target.authority()));
      }
      if (target.certificate() != null && target.key() != null) {
        builder.keyManager(
            new ByteArrayInputStream(target.certificate()), new ByteArrayInputStream(target.key()));
      }
      return builder.build();
    } catch (SSLException | IllegalArgumentException e) {
      throw new BenchFailure("the kubeconfig's certificates cannot be used: " + e.getMessage(), e);
    }
  }

  /** Sets up one connection. */
  private final class Initializer extends ChannelInitializer<SocketChannel> {
    private final String host;
    private final int port;
    private final CompletableFuture<BenchConnection> opened;

    Initializer(String host, int port, CompletableFuture<BenchConnection> opened) {
      this.host = host;
      this.port = port;
      this.opened = opened;
    }

    @Override
    protected void initChannel(SocketChannel channel) {
      var name = target.serverName() == null ? host : target.serverName();
      channel.pipeline().addLast(tls.newHandler(channel.alloc(), name, port));
      channel
          .pipeline()
          .addLast(
              new ApplicationProtocolNegotiationHandler(ApplicationProtocolNames.HTTP_1_1) {
                @Override
                protected void configurePipeline(ChannelHandlerContext ctx, String protocol) {
                  if (protocol.equals(ApplicationProtocolNames.HTTP_2)) {
                    start(ctx.channel());
                  } else {
                    opened.completeExceptionally(
                        new BenchFailure("the server does not speak HTTP/2"));
                    ctx.close();
                  }
                }

                @Override
                protected void handshakeFailure(ChannelHandlerContext ctx, Throwable cause) {
                  opened.completeExceptionally(cause);
                  ctx.close();
                }
              });
      channel
          .pipeline()
          .addLast(
              new ChannelInboundHandlerAdapter() {
                @Override
                public void channelInactive(ChannelHandlerContext ctx) {
                  opened.completeExceptionally(
                      new BenchFailure("the server closed the connection"));
                  ctx.fireChannelInactive();
                }

                @Override
                public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
                  opened.completeExceptionally(cause);
                  ctx.close();
                }
              });
    }

    private void start(Channel channel) {
      var connection = new BenchConnection[1];
      connection[0] = BenchConnection.create(() -> opened.complete(connection[0]));
      channel.pipeline().addLast(connection[0]);
    }
  }
}
