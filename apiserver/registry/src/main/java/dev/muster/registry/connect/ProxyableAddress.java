package dev.muster.registry.connect;

import dev.muster.model.address.Ip;
import dev.muster.model.status.ApiException;
import java.net.InetAddress;

/**
 * Decides which addresses proxy requests may reach. A user with write access to the status of a pod
 * or node chooses its address. Loopback and link-local services, such as a cloud's metadata
 * service, trust every connection, so the server must not connect to them.
 */
public final class ProxyableAddress {
  private ProxyableAddress() {}

  public static ApiException notAllowed() {
    return ApiException.badRequest("address not allowed");
  }

  /** Allows only addresses that Go calls global unicast. */
  public static boolean isAllowed(InetAddress address) {
    return Ip.of(address).isGlobalUnicast();
  }

  /** Whether the text is an allowed IP address; false for a name. */
  static boolean isLiteral(String text) {
    try {
      return Ip.parse(text).isGlobalUnicast();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
