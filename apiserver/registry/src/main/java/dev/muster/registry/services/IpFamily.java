package dev.muster.registry.services;

import dev.muster.model.address.Cidr;

/** The IP families, by the names in a Service. */
enum IpFamily {
  IPV4("IPv4"),
  IPV6("IPv6");

  private final String text;

  IpFamily(String text) {
    this.text = text;
  }

  String text() {
    return text;
  }

  static IpFamily of(Cidr range) {
    return range.isSix() ? IPV6 : IPV4;
  }

  /** The family of a valid address. */
  static IpFamily ofText(String address) {
    return address.indexOf(':') >= 0 ? IPV6 : IPV4;
  }

  static IpFamily named(String text) {
    return text.equals(IPV6.text) ? IPV6 : IPV4;
  }

  IpFamily other() {
    return this == IPV4 ? IPV6 : IPV4;
  }
}
