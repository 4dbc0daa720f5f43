package dev.muster.multicluster.services;

import dev.muster.model.address.Cidr;
import dev.muster.model.address.Ip;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * A range of addresses, such as {@code 10.249.0.0/16}, from which services of a ClusterSet get
 * theirs.
 */
public record AddressRange(Cidr cidr) {
  /** The largest number of addresses that a search tries. */
  private static final int MOST = 1 << 20;

  /**
   * @throws IllegalArgumentException with the problem
   */
  public static AddressRange parse(String text) {
    var cidr = Cidr.parseLegacy(text);
    if (cidr == null || !cidr.standard() || cidr.address().mapped()) {
      throw new IllegalArgumentException(text + ": must be a range such as 10.249.0.0/16");
    }
    int longest = cidr.address().bytes().length * 8 - 2;
    if (cidr.prefix() < 8 || cidr.prefix() > longest) {
      throw new IllegalArgumentException(text + ": the prefix must be between 8 and " + longest);
    }
    if (!cidr.address().equals(cidr.first())) {
      throw new IllegalArgumentException(text + ": the address has bits beyond the prefix");
    }
    return new AddressRange(cidr);
  }

  /** At most one range per address family. */
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
    return cidr.isSix() ? "IPv6" : "IPv4";
  }

  /** The number of usable addresses, without the first and the last. */
  int size() {
    return cidr.size().subtract(BigInteger.TWO).min(BigInteger.valueOf(MOST)).intValueExact();
  }

  /** The address at that position, counted from 0. */
  Ip address(int place) {
    return cidr.at(BigInteger.valueOf(place + 1L));
  }

  boolean contains(Ip address) {
    return address.isSix() == cidr.isSix() && cidr.contains(address);
  }

  /**
   * The name of the object that reserves an address: its text, so that the schema can compare both.
   * An address that ends with colons is no valid name and is not used.
   */
  static String objectName(Ip address) {
    return "ip-" + address.toString().replace('.', '-').replace(':', '-');
  }

  @Override
  public String toString() {
    return cidr.toString();
  }
}
