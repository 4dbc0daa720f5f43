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

/** Finds the addresses of a machine at which other machines reach it. */
@FunctionalInterface
interface HostAddresses {
  /** An address of that family; never loopback or link-local. */
  Optional<InetAddress> of(boolean six);

  /**
   * The address from which this machine would connect to the Internet, or else the first one of any
   * interface that is up.
   */
  static Optional<InetAddress> ofThisMachine(boolean six) {
    return towardsTheWorld(six).or(() -> ofInterfaces(six));
  }

  /** Asks the kernel for the source address of a packet that is never sent. */
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
