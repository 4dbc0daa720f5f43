package dev.muster.server.options;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ProtocolFamily;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnknownHostException;
import java.nio.channels.DatagramChannel;
import java.util.Optional;

/** The addresses of a machine under which others can reach it. */
@FunctionalInterface
interface HostAddresses {
  /** One of that family; never loopback, never link-local. */
  Optional<InetAddress> of(boolean six);

  /**
   * This machine's: the address that it would talk to the rest of the world from, or else the first
   * one of any interface that is up.
   */
  static Optional<InetAddress> ofThisMachine(boolean six) {
    return towardsTheWorld(six).or(() -> ofInterfaces(six));
  }

  /** Asks the kernel for the source of a packet that is never sent. */
  private static Optional<InetAddress> towardsTheWorld(boolean six) {
    ProtocolFamily family = six ? StandardProtocolFamily.INET6 : StandardProtocolFamily.INET;
    var anybody = InetAddress.ofLiteral(six ? "2001:db8::1" : "192.0.2.1");
    try (var channel = DatagramChannel.open(family)) {
      channel.connect(new InetSocketAddress(anybody, 9));
      return channel.getLocalAddress() instanceof InetSocketAddress local
          ? usable(local.getAddress(), six)
          : Optional.empty();
    } catch (IOException | UnsupportedOperationException e) {
      return Optional.empty();
    }
  }

  private static Optional<InetAddress> ofInterfaces(boolean six) {
    try {
      return NetworkInterface.networkInterfaces()
          .filter(HostAddresses::isUp)
          .flatMap(NetworkInterface::inetAddresses)
          .flatMap(address -> usable(address, six).stream())
          .findFirst();
    } catch (SocketException e) {
      return Optional.empty();
    }
  }

  private static boolean isUp(NetworkInterface nic) {
    try {
      return nic.isUp() && !nic.isLoopback();
    } catch (SocketException e) {
      return false;
    }
  }

  private static Optional<InetAddress> usable(InetAddress address, boolean six) {
    boolean wanted = six ? address instanceof Inet6Address : address instanceof Inet4Address;
    if (!wanted
        || address.isLoopbackAddress()
        || address.isLinkLocalAddress()
        || address.isAnyLocalAddress()) {
      return Optional.empty();
    }
    try {
      return Optional.of(InetAddress.getByAddress(address.getAddress()));
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }
}
