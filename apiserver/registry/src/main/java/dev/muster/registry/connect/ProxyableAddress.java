package dev.muster.registry.connect;

import dev.muster.model.address.Ip;
import dev.muster.model.status.ApiException;
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

  /** Only what Go calls global unicast. */
  public static boolean isAllowed(InetAddress address) {
    return Ip.of(address).isGlobalUnicast();
  }

  /** Whether the text is such an address; a name is none, whatever it stands for. */
  static boolean isLiteral(String text) {
    try {
      return Ip.parse(text).isGlobalUnicast();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
