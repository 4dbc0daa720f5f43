package dev.muster.clusterset.services;

import java.math.BigInteger;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * A range of addresses, such as {@code 10.249.0.0/16}, from which a ClusterSet takes those of its
 * services.
 */
public record AddressRange(InetAddress first, int prefixLength) {
  /** More than this many places are not looked at. */
  private static final int MOST = 1 << 20;

  /**
   * @throws IllegalArgumentException saying what is wrong
   */
  public static AddressRange parse(String text) {
    int slash = text.indexOf('/');
    try {
      var address = InetAddress.ofLiteral(text.substring(0, slash));
      int prefix = Integer.parseInt(text.substring(slash + 1));
      int bits = address.getAddress().length * 8;
      if (prefix < 8 || prefix > bits - 2) {
        throw new IllegalArgumentException(
            text + ": the prefix must be between 8 and " + (bits - 2));
      }
      var low = new BigInteger(1, address.getAddress());
      if (low.mod(BigInteger.ONE.shiftLeft(bits - prefix)).signum() != 0) {
        throw new IllegalArgumentException(text + ": the address has bits beyond the prefix");
      }
      return new AddressRange(address, prefix);
    } catch (IndexOutOfBoundsException | NumberFormatException e) {
      throw new IllegalArgumentException(text + ": must be a range such as 10.249.0.0/16", e);
    }
  }

  /** One of each family at the most. */
  public static List<AddressRange> parseAll(List<String> texts) {
    var ranges = new ArrayList<AddressRange>();
    for (var text : texts) {
      var range = parse(text.strip());
      if (ranges.stream().anyMatch(other -> other.family().equals(range.family()))) {
        throw new IllegalArgumentException(text + ": there is a range of its family already");
      }
      ranges.add(range);
    }
    return List.copyOf(ranges);
  }

  String family() {
    return first instanceof Inet6Address ? "IPv6" : "IPv4";
  }

  /** How many addresses can be had: neither the first nor the last. */
  int size() {
    int bits = first.getAddress().length * 8 - prefixLength;
    return bits >= 20 ? MOST : (1 << bits) - 2;
  }

  /** The address of that place, counted from 0. */
  InetAddress address(int place) {
    var length = first.getAddress().length;
    var value =
        new BigInteger(1, first.getAddress()).add(BigInteger.valueOf(place + 1L)).toByteArray();
    var bytes = new byte[length];
    int from = Math.max(0, value.length - length);
    System.arraycopy(value, from, bytes, length - (value.length - from), value.length - from);
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The name of the object that holds an address. */
  static String objectName(InetAddress address) {
    return "ip-" + HexFormat.of().formatHex(address.getAddress());
  }

  @Override
  public String toString() {
    return first.getHostAddress() + "/" + prefixLength;
  }
}
