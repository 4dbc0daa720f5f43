package dev.muster.fleet.endpoints;

import java.net.Inet6Address;
import java.net.InetAddress;

/** The two kinds of IP addresses, as Services and EndpointSlices name them. */
public enum Family {
  IPV4("IPv4"),
  IPV6("IPv6");

  private final String text;

  Family(String text) {
    this.text = text;
  }

  public String text() {
    return text;
  }

  /** The family of a well-formed address. */
  public static Family of(String address) {
    return address.indexOf(':') >= 0 ? IPV6 : IPV4;
  }

  public static Family of(InetAddress address) {
    return address instanceof Inet6Address ? IPV6 : IPV4;
  }

  public Family other() {
    return this == IPV4 ? IPV6 : IPV4;
  }

  /** How it stands in the names of slices. */
  String suffix() {
    return this == IPV4 ? "ipv4" : "ipv6";
  }
}
