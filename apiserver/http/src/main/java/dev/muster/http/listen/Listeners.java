package dev.muster.http.listen;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.WriteBufferWaterMark;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The listening sockets. Either all are bound or none. Thread-safe. */
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
    for (var wanted : addresses) {
      if (coveredBySix(wanted, addresses)) {
        continue;
      }
      var address = samePort(wanted);
      var bound = bootstrap.bind(address).awaitUninterruptibly();
      if (!bound.isSuccess()) {
        close();
        throw failure(address, bound.cause());
      }
      channels.add(bound.channel());
    }
  }

  /** Uses the same free port for all addresses, so that a server has one port. */
  private InetSocketAddress samePort(InetSocketAddress wanted) {
    return wanted.getPort() != 0 || channels.isEmpty()
        ? wanted
        : new InetSocketAddress(wanted.getAddress(), addresses().getFirst().getPort());
  }

  /** A socket on the IPv6 wildcard also accepts IPv4 connections; both cannot be bound. */
  private static boolean coveredBySix(
      InetSocketAddress address, List<InetSocketAddress> addresses) {
    return address.getPort() != 0
        && isWildcard(address, Inet4Address.class)
        && addresses.stream()
            .anyMatch(
                other ->
                    other.getPort() == address.getPort() && isWildcard(other, Inet6Address.class));
  }

  private static boolean isWildcard(
      InetSocketAddress address, Class<? extends InetAddress> family) {
    return family.isInstance(address.getAddress()) && address.getAddress().isAnyLocalAddress();
  }

  private static IOException failure(InetSocketAddress address, Throwable cause) {
    var host =
        address.getAddress() == null
            ? address.getHostString()
            : address.getAddress().getHostAddress();
    var where = (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
    return new IOException("cannot listen on " + where + ": " + reason(cause), cause);
  }

  private static String reason(Throwable cause) {
    var message = String.valueOf(cause.getMessage());
    if (message.contains("Address already in use")) {
      return "address already in use";
    }
    return message.contains("Cannot assign") ? "this machine has no such address" : message;
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

  /** Closes the sockets; accepted connections stay open. */
  void close() {
    channels.forEach(channel -> channel.close().awaitUninterruptibly());
  }
}
