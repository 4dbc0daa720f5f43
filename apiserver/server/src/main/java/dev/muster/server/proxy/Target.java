package dev.muster.server.proxy;

import dev.muster.model.status.ApiException;
import dev.muster.registry.connect.Destination;
import dev.muster.registry.connect.ProxyableAddress;
import java.net.InetAddress;
import java.util.List;

/**
 * A destination and the addresses that its host had when it was looked up, once: what was checked
 * is what is connected to, whatever the name stands for a moment later.
 *
 * @param serverName that the other side's certificate has to be for
 */
public record Target(Destination destination, List<InetAddress> addresses, String serverName) {
  public Target {
    addresses = List.copyOf(addresses);
  }

  /** With the certificate that the host's name needs. */
  public Target(Destination destination, List<InetAddress> addresses) {
    this(destination, addresses, destination.host());
  }

  /**
   * This target, if users may have the server connect to it.
   *
   * @throws ApiException 400 when one of its addresses is none for users
   */
  public Target requireProxyable() {
    if (!addresses.stream().allMatch(ProxyableAddress::isAllowed)) {
      throw ProxyableAddress.notAllowed();
    }
    return this;
  }

  /** This target with a path and a query. */
  public Target withPath(String path, String query) {
    return new Target(destination.withPath(path, query), addresses, serverName);
  }
}
