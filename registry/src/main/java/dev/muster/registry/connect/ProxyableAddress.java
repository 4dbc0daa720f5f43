package dev.muster.registry.connect;

import dev.muster.model.address.Addresses;
import dev.muster.model.status.ApiException;
import java.net.Inet4Address;
import java.net.InetAddress;

/**
 * Which addresses users may have the server connect to. Whoever may write the status of a pod or a
 * node chooses where its address leads: services of this machine and of its link (the metadata of a
 * cloud, for example) take whoever reaches them for a friend.
 */
public final class ProxyableAddress {
  private ProxyableAddress() {}

  public static ApiException notAllowed() {
    return ApiException.badRequest("address not allowed");
  }

  /** What Go calls global unicast: neither loopback, link-local, multicast, broadcast nor none. */
  public static boolean isAllowed(InetAddress address) {
    return !(address.isAnyLocalAddress()
        || address.isLoopbackAddress()
        || address.isLinkLocalAddress()
        || address.isMulticastAddress()
        || isBroadcast(address));
  }

  private static boolean isBroadcast(InetAddress address) {
    if (!(address instanceof Inet4Address)) {
      return false;
    }
    for (byte b : address.getAddress()) {
      if (b != (byte) 0xff) {
        return false;
      }
    }
    return true;
  }

  /** Whether the text is such an address; a name is none, whatever it stands for. */
  static boolean isLiteral(String text) {
    try {
      return isAllowed(Addresses.parse(text));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
