package dev.muster.model.address;

import java.math.BigInteger;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** A range of addresses of one family: its first address and the length of the shared prefix. */
public record Cidr(InetAddress first, int prefixLength) {

  public Cidr {
    int width = first.getAddress().length * 8;
    if (prefixLength < 0 || prefixLength > width) {
      throw new IllegalArgumentException(
          "prefix length " + prefixLength + " is not between 0 and " + width);
    }
    first = masked(first, prefixLength);
  }

  /**
   * Reads {@code 10.0.0.0/16} or {@code fd00::/108}; bits after the prefix are dropped.
   *
   * @throws IllegalArgumentException when the text is not an address, a slash and a length
   */
  public static Cidr parse(String text) {
    int slash = text.indexOf('/');
    try {
      if (slash > 0) {
        return new Cidr(
            Addresses.parse(text.substring(0, slash)), Integer.parseInt(text.substring(slash + 1)));
      }
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("invalid CIDR address: " + text, e);
    }
    throw new IllegalArgumentException("invalid CIDR address: " + text);
  }

  public boolean ipv6() {
    return first instanceof Inet6Address;
  }

  public boolean contains(InetAddress address) {
    return address.getAddress().length == first.getAddress().length
        && masked(address, prefixLength).equals(first);
  }

  /** How many addresses the range holds. */
  public BigInteger size() {
    return BigInteger.ONE.shiftLeft(first.getAddress().length * 8 - prefixLength);
  }

  /**
   * The address at that distance from the first one.
   *
   * @throws IndexOutOfBoundsException when it would lie outside the range
   */
  public InetAddress at(BigInteger offset) {
    if (offset.signum() < 0 || offset.compareTo(size()) >= 0) {
      throw new IndexOutOfBoundsException(offset + " is not an offset in " + this);
    }
    byte[] base = first.getAddress();
    byte[] sum = new BigInteger(1, base).add(offset).toByteArray();
    for (int i = 1; i <= base.length; i++) {
      base[base.length - i] = i <= sum.length ? sum[sum.length - i] : 0;
    }
    return address(base);
  }

  @Override
  public String toString() {
    return Addresses.text(first) + "/" + prefixLength;
  }

  private static InetAddress masked(InetAddress address, int prefixLength) {
    byte[] bytes = address.getAddress();
    for (int bit = prefixLength; bit < bytes.length * 8; bit++) {
      bytes[bit / 8] &= (byte) ~(0x80 >> (bit % 8));
    }
    return address(bytes);
  }

  private static InetAddress address(byte[] bytes) {
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("an address has 4 or 16 bytes", e);
    }
  }
}
