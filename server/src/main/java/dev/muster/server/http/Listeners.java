package dev.muster.server.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.WriteBufferWaterMark;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Safe from any thread: the sockets that connections come from; all are bound or none. */
final class Listeners {
  private static final int BACKLOG = 4096;
  private final List<Channel> channels = new CopyOnWriteArrayList<>();

  void bind(
      EventLoopGroup group,
      Class<? extends ServerChannel> type,
      ChannelHandler connections,
      List<InetSocketAddress> addresses)
      throws IOException {
    var bootstrap =
        new ServerBootstrap()
            .group(group)
            .channel(type)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.SO_KEEPALIVE, true)
            .childOption(
                ChannelOption.WRITE_BUFFER_WATER_MARK,
                new WriteBufferWaterMark(128 * 1024, 256 * 1024))
            .childHandler(connections);
    for (var address : addresses) {
      var bound = bootstrap.bind(address).awaitUninterruptibly();
      if (!bound.isSuccess()) {
        close();
        throw failure(address, bound.cause());
      }
      channels.add(bound.channel());
    }
  }

  private static IOException failure(InetSocketAddress address, Throwable cause) {
    var host =
        address.getAddress() == null
            ? address.getHostString()
            : address.getAddress().getHostAddress();
    var where = (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
    var message = String.valueOf(cause.getMessage());
    var why =
        cause instanceof BindException || message.contains("Address already in use")
            ? message.contains("Cannot assign")
                ? "this machine has no such address"
                : "address already in use"
            : message;
    return new IOException("cannot listen on " + where + ": " + why, cause);
  }

  List<InetSocketAddress> addresses() {
    var addresses = new ArrayList<InetSocketAddress>();
    for (var channel : channels) {
      if (channel.localAddress() instanceof InetSocketAddress address) {
        addresses.add(address);
      }
    }
    return List.copyOf(addresses);
  }

  void pause() {
    channels.forEach(channel -> channel.config().setAutoRead(false));
  }

  void resume() {
    channels.forEach(channel -> channel.config().setAutoRead(true));
  }

  /** Closes the sockets; connections that came from them stay. */
  void close() {
    channels.forEach(channel -> channel.close().awaitUninterruptibly());
  }
}
