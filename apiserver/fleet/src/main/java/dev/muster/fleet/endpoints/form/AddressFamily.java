package dev.muster.fleet.endpoints.form;

import dev.muster.model.address.Cidr;
import java.net.Inet6Address;
import java.net.InetAddress;

/** The IP address families as Services and EndpointSlices name them. */
public enum AddressFamily {
  IPV4("IPv4"),
  IPV6("IPv6");

  private final String text;

  AddressFamily(String text) {
    this.text = text;
  }

  public String text() {
    return text;
  }

  /** The family of a well-formed address. */
  public static AddressFamily of(String address) {
    return address.indexOf(':') >= 0 ? IPV6 : IPV4;
  }

  public static AddressFamily of(Cidr range) {
    return range.isSix() ? IPV6 : IPV4;
  }

  public static AddressFamily of(InetAddress address) {
    return address instanceof Inet6Address ? IPV6 : IPV4;
  }

  public AddressFamily other() {
    return this == IPV4 ? IPV6 : IPV4;
  }

  /** Its suffix in the names of slices. */
  String suffix() {
    return this == IPV4 ? "ipv4" : "ipv6";
  }
}
