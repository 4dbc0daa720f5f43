package dev.muster.server.proxy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;

/** How backends are found and reached. Safe for any thread; lookups block. */
@FunctionalInterface
public interface Network {
  /** What this machine knows. */
  Network SYSTEM = name -> List.of(InetAddress.getAllByName(name));

  /** All addresses of a name. */
  List<InetAddress> lookup(String name) throws UnknownHostException;

  /** The socket behind an address; another one only where a test has a network of its own. */
  default InetSocketAddress route(InetSocketAddress address) {
    return address;
  }
}
