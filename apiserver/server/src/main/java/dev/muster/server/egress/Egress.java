package dev.muster.server.egress;

import dev.muster.server.egress.EgressConnection.Tcp;
import dev.muster.server.egress.EgressConnection.Uds;
import io.netty.channel.Channel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Connects channels directly or through one proxy. Thread-safe. Prepare a new channel before it
 * connects; then connect it to its destination in either case.
 */
public final class Egress {
  /** Connects without a proxy. */
  public static final Egress DIRECT = new Egress(new EgressConnection.Direct());

  private final EgressConnection connection;
  private final @Nullable EgressTls tls;

  /**
   * @throws IllegalArgumentException when a file cannot be used
   */
  Egress(EgressConnection connection) {
    this.connection = connection;
    var files =
        connection instanceof EgressConnection.HttpConnect http && http.proxy() instanceof Tcp tcp
            ? tcp.tls()
            : null;
    this.tls = files == null ? null : new EgressTls(files);
  }

  /** Whether it connects without a proxy. */
  public boolean isDirect() {
    return connection instanceof EgressConnection.Direct;
  }

  private @Nullable Path socket() {
    return switch (connection) {
      case EgressConnection.Grpc grpc -> grpc.socket();
      case EgressConnection.HttpConnect http ->
          http.proxy() instanceof Uds uds ? uds.socket() : null;
      case EgressConnection.Direct _ -> null;
    };
  }

  /** Whether channels are TCP sockets and have their options. */
  public boolean isTcp() {
    return socket() == null;
  }

  /** A new channel of the matching type. */
  public Channel channel() {
    if (isTcp()) {
      return Epoll.isAvailable() ? new EpollSocketChannel() : new NioSocketChannel();
    }
    return Epoll.isAvailable() ? new EpollDomainSocketChannel() : new NioDomainSocketChannel();
  }

  private static SocketAddress address(Path socket) {
    return Epoll.isAvailable()
        ? new DomainSocketAddress(socket.toString())
        : UnixDomainSocketAddress.of(socket);
  }

  /**
   * Makes the channel use the proxy when it connects.
   *
   * @param patience until its destination is reached
   */
  public void prepare(Channel channel, Duration patience) {
    switch (connection) {
      case EgressConnection.Direct _ -> {}
      case EgressConnection.Grpc grpc -> {
        var streams = new Http2Streams();
        channel
            .pipeline()
            .addLast(
                Http2FrameCodecBuilder.forClient().build(),
                streams,
                new KonnectivityTunnel(address(grpc.socket()), streams, patience));
      }
      case EgressConnection.HttpConnect http -> {
        switch (http.proxy()) {
          case Uds uds ->
              channel
                  .pipeline()
                  .addLast(
                      new ConnectTunnel(address(uds.socket()), uds.socket().toString(), patience));
          case Tcp tcp -> {
            var secured = tls;
            if (secured != null && tcp.tls() != null) {
              var name = tcp.tls().serverName().isEmpty() ? tcp.host() : tcp.tls().serverName();
              var handler = secured.newest().newHandler(channel.alloc(), name, tcp.port());
              handler.setHandshakeTimeoutMillis(Math.max(1, patience.toMillis()));
              channel.pipeline().addLast(handler);
            }
            channel
                .pipeline()
                .addLast(
                    new ConnectTunnel(
                        new InetSocketAddress(tcp.host(), tcp.port()),
                        tcp.host() + ":" + tcp.port(),
                        patience));
          }
        }
      }
    }
  }
}
