package dev.muster.server.proxy;

import dev.muster.model.status.ApiException;
import dev.muster.registry.connect.Destination;
import dev.muster.registry.connect.ProxyableAddress;
import java.net.InetAddress;
import java.util.List;

/**
 * A destination and the addresses that its host had when it was looked up, once: what was checked
 * is what is connected to, whatever the name stands for a moment later.
 */
public record Target(Destination destination, List<InetAddress> addresses) {
  public Target {
    addresses = List.copyOf(addresses);
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
    return new Target(destination.withPath(path, query), addresses);
  }
}
