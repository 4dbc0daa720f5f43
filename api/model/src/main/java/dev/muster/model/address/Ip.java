package dev.muster.model.address;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An IP address, version 4 (four bytes) or 6 (sixteen). Like Go, it stores an IPv4-mapped IPv6
 * address as IPv4. Code uses {@link InetAddress} only for sockets, and this type for all other
 * purposes.
 *
 * @param standard whether it was written without leading zeros
 * @param mapped whether it was written as an IPv4-mapped IPv6 address
 */
public record Ip(byte[] bytes, boolean standard, boolean mapped) {

  /**
   * Parses an address like Go's current parsers: without leading zeros, zone or brackets.
   *
   * @throws IllegalArgumentException when the text is not an address
   */
  public static Ip parse(String text) {
    var ip = parseLegacy(text);
    if (ip == null || !ip.standard) {
      throw new IllegalArgumentException("invalid IP address: " + text);
    }
    return ip;
  }

  /**
   * Parses an address by the lenient rules of older API fields, which allow leading zeros; returns
   * null for an invalid address.
   */
  public static @Nullable Ip parseLegacy(String text) {
    return IpText.parse(text);
  }

  /** The address of a socket, without its zone. */
  public static Ip of(InetAddress address) {
    return new Ip(address.getAddress(), true, false);
  }

  /** Converts the address for sockets. */
  public InetAddress toInetAddress() {
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("an address has 4 or 16 bytes", e);
    }
  }

  /** The canonical form for use before a port: IPv6 in brackets. */
  public String host() {
    return isSix() ? "[" + this + "]" : toString();
  }

  public boolean isFour() {
    return bytes.length == 4;
  }

  public boolean isSix() {
    return bytes.length == 16;
  }

  public boolean isUnspecified() {
    for (byte b : bytes) {
      if (b != 0) {
        return false;
      }
    }
    return true;
  }

  public boolean isLoopback() {
    if (isFour()) {
      return bytes[0] == 127;
    }
    for (int i = 0; i < 15; i++) {
      if (bytes[i] != 0) {
        return false;
      }
    }
    return bytes[15] == 1;
  }

  public boolean isLinkLocalUnicast() {
    return isFour()
        ? (bytes[0] & 255) == 169 && (bytes[1] & 255) == 254
        : (bytes[0] & 255) == 0xfe && (bytes[1] & 0xc0) == 0x80;
  }

  public boolean isLinkLocalMulticast() {
    return isFour()
        ? (bytes[0] & 255) == 224 && bytes[1] == 0 && bytes[2] == 0
        : (bytes[0] & 255) == 0xff && (bytes[1] & 0x0f) == 0x02;
  }

  public boolean isMulticast() {
    return isFour() ? (bytes[0] & 0xf0) == 0xe0 : (bytes[0] & 255) == 0xff;
  }

  /**
   * Go's global unicast: any address that is not loopback, link-local, multicast, broadcast or
   * unspecified.
   */
  public boolean isGlobalUnicast() {
    return !isUnspecified()
        && !isLoopback()
        && !isMulticast()
        && !isLinkLocalUnicast()
        && !isBroadcast();
  }

  private boolean isBroadcast() {
    return isFour() && bytes[0] == -1 && bytes[1] == -1 && bytes[2] == -1 && bytes[3] == -1;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Ip ip && Arrays.equals(bytes, ip.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** The canonical form: dotted decimal, or RFC 5952. */
  @Override
  public String toString() {
    return IpText.of(bytes);
  }
}
