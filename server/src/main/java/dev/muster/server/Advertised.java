package dev.muster.server;

import dev.muster.access.pki.Names;
import dev.muster.server.options.ServiceOptions;
import java.math.BigInteger;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;

/**
 * Under which addresses others reach this server.
 *
 * @param addresses one of each family at most, never empty
 */
public record Advertised(List<InetAddress> addresses, int port) {
  public Advertised {
    addresses = List.copyOf(addresses);
  }

  /** The flag's addresses; else the bind addresses; else those of the host's interfaces. */
  static Advertised of(ApiServerOptions options) {
    var listen = options.listen();
    if (!listen.advertiseAddresses().isEmpty()) {
      return new Advertised(listen.advertiseAddresses(), listen.securePort());
    }
    var bound = listen.bindAddresses().stream().filter(a -> !a.isAnyLocalAddress()).toList();
    return new Advertised(bound.isEmpty() ? ofHost() : bound, listen.securePort());
  }

  /** The host's own addresses, IPv4 first; loopback where there are no others. */
  private static List<InetAddress> ofHost() {
    InetAddress four = null;
    InetAddress six = null;
    try {
      for (var nic : NetworkInterface.networkInterfaces().toList()) {
        if (!nic.isUp() || nic.isLoopback()) {
          continue;
        }
        for (var address : nic.inetAddresses().toList()) {
          if (four == null && address instanceof Inet4Address) {
            four = address;
          }
          if (six == null && address instanceof Inet6Address && !address.isLinkLocalAddress()) {
            six = withoutScope(address);
          }
        }
      }
    } catch (SocketException e) {
      // a host whose interfaces cannot be listed has only its loopback for us
    }
    var found = new ArrayList<InetAddress>();
    if (four != null) {
      found.add(four);
    } else if (six != null) {
      found.add(six);
    }
    return found.isEmpty() ? List.of(InetAddress.getLoopbackAddress()) : found;
  }

  private static InetAddress withoutScope(InetAddress address) {
    try {
      return InetAddress.getByAddress(address.getAddress());
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  String hostAndPort() {
    var address = addresses.getFirst();
    var host =
        address instanceof Inet6Address
            ? "[" + address.getHostAddress() + "]"
            : address.getHostAddress();
    return host + ":" + port;
  }

  /** Everything that the serving certificate has to hold. */
  Names names(ServiceOptions services) {
    var own = new ArrayList<>(addresses);
    for (var range : services.clusterIpRanges()) {
      own.add(range.at(BigInteger.ONE));
    }
    return Names.ofServer(hostName(), own);
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }
}
