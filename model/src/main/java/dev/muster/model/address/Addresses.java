package dev.muster.model.address;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.regex.Pattern;

/** IP addresses from and to text. */
public final class Addresses {
  private static final Pattern IPV4 = Pattern.compile("(0|[1-9]\\d{0,2})(\\.(0|[1-9]\\d{0,2})){3}");

  private Addresses() {}

  /**
   * Reads an address; stricter than the JDK: four decimal parts without leading zeros, no zones.
   *
   * @throws IllegalArgumentException when the text is none
   */
  public static InetAddress parse(String text) {
    boolean plausible =
        text.indexOf(':') < 0 ? IPV4.matcher(text).matches() : text.indexOf('%') < 0;
    if (plausible) {
      try {
        return InetAddress.ofLiteral(text);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("invalid IP address: " + text, e);
      }
    }
    throw new IllegalArgumentException("invalid IP address: " + text);
  }

  /** Dotted quads for IPv4; for IPv6 the form of RFC 5952, without a zone. */
  public static String text(InetAddress address) {
    return address instanceof Inet6Address ? ipv6(address.getAddress()) : address.getHostAddress();
  }

  /** The address as it stands in front of a port: IPv6 in brackets. */
  public static String host(InetAddress address) {
    return address instanceof Inet6Address ? "[" + text(address) + "]" : text(address);
  }

  private static String ipv6(byte[] bytes) {
    int[] groups = new int[8];
    for (int i = 0; i < 8; i++) {
      groups[i] = ((bytes[2 * i] & 0xff) << 8) | (bytes[2 * i + 1] & 0xff);
    }
    int zerosAt = -1;
    int zeros = 1;
    for (int i = 0; i < 8; i++) {
      int run = 0;
      while (i + run < 8 && groups[i + run] == 0) {
        run++;
      }
      if (run > zeros) {
        zerosAt = i;
        zeros = run;
      }
      i += run;
    }
    var text = new StringBuilder(39);
    for (int i = 0; i < 8; i++) {
      if (i == zerosAt) {
        text.append("::");
        i += zeros - 1;
        continue;
      }
      if (!text.isEmpty() && text.charAt(text.length() - 1) != ':') {
        text.append(':');
      }
      text.append(Integer.toHexString(groups[i]));
    }
    return text.toString();
  }
}
