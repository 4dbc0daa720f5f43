package dev.muster.multicluster.dns;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.time.Duration;
import java.util.List;

/**
 * The listening settings of the DNS server.
 *
 * @param port the same for all addresses, UDP and TCP; 0 for any free port
 * @param threads the number of event loops, and of sockets per address where the system distributes
 *     datagrams
 * @param largestDatagram in bytes
 * @param idle how long a connection may be silent
 * @param connections the largest number of connections
 */
public record ListenAddresses(
    List<InetAddress> addresses,
    int port,
    int threads,
    int largestDatagram,
    Duration idle,
    int connections) {
  public ListenAddresses {
    boolean both = addresses.stream().filter(InetAddress::isAnyLocalAddress).count() > 1;
    addresses =
        addresses.stream()
            .filter(
                address -> !both || !address.isAnyLocalAddress() || address instanceof Inet6Address)
            .toList();
    if (addresses.isEmpty()) {
      throw new IllegalArgumentException("there must be an address");
    }
  }

  /** All interfaces; one IPv6 socket serves both families where the host has IPv6. */
  public static List<InetAddress> everywhere() {
    return List.of(InetAddress.ofLiteral(hasIpv6() ? "::" : "0.0.0.0"));
  }

  private static boolean hasIpv6() {
    try {
      return NetworkInterface.networkInterfaces()
          .flatMap(NetworkInterface::inetAddresses)
          .anyMatch(Inet6Address.class::isInstance);
    } catch (SocketException _) {
      return false;
    }
  }
}
