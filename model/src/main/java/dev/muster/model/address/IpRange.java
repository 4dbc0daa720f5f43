package dev.muster.model.address;

import org.jspecify.annotations.Nullable;

/**
 * A range of addresses as written.
 *
 * @param address the address before the slash, possibly with bits beyond the prefix
 * @param prefix the length of the prefix in bits, counted in the address's own family
 * @param standard whether address and prefix were written without leading zeros
 */
public record IpRange(Ip address, int prefix, boolean standard) {

  /** Reads a range; also accepts leading zeros; null when it is none. */
  public static @Nullable IpRange parse(String text) {
    int slash = text.indexOf('/');
    if (slash < 0) {
      return null;
    }
    var address = Ip.parse(text.substring(0, slash));
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
    return new IpRange(address, prefix, address.standard() && plain);
  }

  /** The first address of the range. */
  public Ip network() {
    var bytes = address.bytes().clone();
    for (int i = 0; i < bytes.length; i++) {
      int kept = Math.clamp(prefix - 8L * i, 0, 8);
      bytes[i] = (byte) (bytes[i] & (0xff00 >> kept));
    }
    return new Ip(bytes, true, false);
  }

  public boolean contains(Ip ip) {
    return ip.bytes().length == address.bytes().length
        && new IpRange(ip, prefix, true).network().equals(network());
  }

  /** The canonical form of the range. */
  @Override
  public String toString() {
    return network() + "/" + prefix;
  }
}
