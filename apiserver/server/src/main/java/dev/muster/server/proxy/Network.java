package dev.muster.server.proxy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Resolves the names of backends and routes connections to them. Thread-safe; lookups block. */
@FunctionalInterface
public interface Network {
  /** The resolver of this machine. */
  Network SYSTEM = name -> List.of(InetAddress.getAllByName(name));

  /** All addresses of a name. */
  List<InetAddress> lookup(String name) throws UnknownHostException;

  /** The socket of an address; only tests with a network of their own return another one. */
  default InetSocketAddress route(InetSocketAddress address) {
    return address;
  }
}
