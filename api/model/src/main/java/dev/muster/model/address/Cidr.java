package dev.muster.model.address;

import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * A range of IP addresses of one family.
 *
 * @param address an address of the range: the first one, or the one that was written before the
 *     slash
 * @param prefix the length of the prefix in bits, counted in the family of the address
 * @param standard whether address and prefix were written without leading zeros
 */
public record Cidr(Ip address, int prefix, boolean standard) {

  public Cidr {
    int width = address.bytes().length * 8;
    if (prefix < 0 || prefix > width) {
      throw new IllegalArgumentException(
          "prefix length " + prefix + " is not between 0 and " + width);
    }
  }

  /**
   * Parses {@code 10.0.0.0/16} or {@code fd00::/108} strictly: without leading zeros or mapped
   * addresses. Drops the bits after the prefix.
   *
   * @throws IllegalArgumentException when the text is not an address, a slash and a length
   */
  public static Cidr parse(String text) {
    var range = parseLegacy(text);
    if (range == null || !range.standard || range.address.mapped()) {
      throw new IllegalArgumentException("invalid CIDR address: " + text);
    }
    return range.masked();
  }

  /**
   * Parses a range by the lenient rules of older API fields, which allow leading zeros, and keeps
   * the address as written. Returns null for an invalid range.
   */
  public static @Nullable Cidr parseLegacy(String text) {
    int slash = text.indexOf('/');
    if (slash < 0) {
      return null;
    }
    var address = Ip.parseLegacy(text.substring(0, slash));
    var length = text.substring(slash + 1);
    if (address == null || length.isEmpty() || length.length() > 6) {
      return null;
    }
    int prefix = 0;
    for (int i = 0; i < length.length(); i++) {
      char c = length.charAt(i);
      if (c < '0' || c > '9') {
        return null;
      }
      prefix = prefix * 10 + c - '0';
    }
    int most = address.mapped() || address.isSix() ? 128 : 32;
    if (prefix > most) {
      return null;
    }
    boolean plain = length.length() == 1 || length.charAt(0) != '0';
    if (address.mapped()) {
      prefix = Math.max(0, prefix - 96);
    }
    return new Cidr(address, prefix, address.standard() && plain);
  }

  public boolean isSix() {
    return address.isSix();
  }

  /** The same range, with its first address. */
  public Cidr masked() {
    return new Cidr(first(), prefix, true);
  }

  /** The first address of the range. */
  public Ip first() {
    return first(address);
  }

  /** The first address of the range with this prefix that contains the address. */
  private Ip first(Ip ip) {
    var bytes = ip.bytes().clone();
    for (int i = 0; i < bytes.length; i++) {
      int kept = Math.clamp(prefix - 8L * i, 0, 8);
      bytes[i] = (byte) (bytes[i] & (0xff00 >> kept));
    }
    return new Ip(bytes, true, false);
  }

  public boolean contains(Ip ip) {
    return ip.bytes().length == address.bytes().length && first(ip).equals(first());
  }

  /** Whether this range contains the whole other range. */
  public boolean contains(Cidr other) {
    return prefix <= other.prefix && contains(other.address);
  }

  /** The number of addresses in the range. */
  public BigInteger size() {
    return BigInteger.ONE.shiftLeft(address.bytes().length * 8 - prefix);
  }

  /**
   * The address at that distance from the first one.
   *
   * @throws IndexOutOfBoundsException when the address would lie outside the range
   */
  public Ip at(BigInteger offset) {
    if (offset.signum() < 0 || offset.compareTo(size()) >= 0) {
      throw new IndexOutOfBoundsException(offset + " is not an offset in " + this);
    }
    byte[] base = first().bytes();
    byte[] sum = new BigInteger(1, base).add(offset).toByteArray();
    for (int i = 1; i <= base.length; i++) {
      base[base.length - i] = i <= sum.length ? sum[sum.length - i] : 0;
    }
    return new Ip(base, true, false);
  }

  /** The canonical form of the range. */
  @Override
  public String toString() {
    return first() + "/" + prefix;
  }
}
