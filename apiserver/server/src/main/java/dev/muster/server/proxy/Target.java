package dev.muster.server.proxy;

import dev.muster.model.status.ApiException;
import dev.muster.registry.connect.Destination;
import dev.muster.registry.connect.ProxyableAddress;
import java.net.InetAddress;
import java.util.List;

/**
 * A destination with the addresses of its host, which are looked up once: the server connects to
 * the addresses that it has checked, even if the name changes meanwhile.
 *
 * @param serverName that the backend's certificate must have
 */
public record Target(Destination destination, List<InetAddress> addresses, String serverName) {
  public Target {
    addresses = List.copyOf(addresses);
  }

  /** With the host as the server name. */
  public Target(Destination destination, List<InetAddress> addresses) {
    this(destination, addresses, destination.host());
  }

  /**
   * This target, if users may have the server connect to it.
   *
   * @throws ApiException 400 when one of its addresses is not allowed
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
