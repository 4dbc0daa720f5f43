package dev.muster.server.options;

import dev.muster.model.address.Ip;
import dev.muster.server.options.flag.Flag;
import dev.muster.server.options.flag.FlagChecks;
import dev.muster.server.options.flag.FlagGroup;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The addresses on which the server listens, and those that it advertises. */
@FlagGroup("Listening")
public record ListenOptions(
    @Flag(
            name = "bind-address",
            help =
                "Addresses on which to listen: one, or an IPv4 and an IPv6 address separated by a"
                    + " comma. Unset: all interfaces, of both families where the host has them.")
        List<InetAddress> bindAddresses,
    @Flag(
            name = "secure-port",
            help = "The port for HTTPS with authentication and authorization. 0 takes a free one.")
        int securePort,
    @Flag(
            name = "advertise-address",
            help =
                "Addresses that other members of the cluster use to reach this server: one, or one"
                    + " of each family. Unset: the bind addresses, or where these are wildcards the"
                    + " host's own.")
        List<InetAddress> advertiseAddresses,
    @Flag(
            name = "external-hostname",
            help = "The host name that stands in URLs which this server makes for others.")
        @Nullable String externalHostname,
    @Flag(
            name = "http2-max-streams-per-connection",
            help =
                "Requests that one HTTP/2 connection may have open at the same time. 0 takes the"
                    + " default.")
        int http2MaxStreams,
    @Flag(name = "disable-http2-serving", help = "Speak HTTP/1.1 only.") boolean http2Disabled)
    implements OptionGroup {
  private static final int HTTP2_STREAMS = 250;
  private static final String BROADCAST = "255.255.255.255";

  public ListenOptions {
    bindAddresses = oneOrBothFamilies("bind-address", bindAddresses);
    advertiseAddresses = oneOrBothFamilies("advertise-address", advertiseAddresses);
    FlagChecks.between("secure-port", securePort, 0, 65535);
    FlagChecks.between("http2-max-streams-per-connection", http2MaxStreams, 0, 10_000);
    http2MaxStreams = http2MaxStreams == 0 ? HTTP2_STREAMS : http2MaxStreams;
    for (var address : advertiseAddresses) {
      if (address.isAnyLocalAddress()) {
        throw refused("advertise-address", address, "is an address of no one");
      }
    }
  }

  /** With HTTP/2. */
  public ListenOptions(
      List<InetAddress> bindAddresses,
      int securePort,
      List<InetAddress> advertiseAddresses,
      @Nullable String externalHostname,
      int http2MaxStreams) {
    this(bindAddresses, securePort, advertiseAddresses, externalHostname, http2MaxStreams, false);
  }

  public static ListenOptions defaults() {
    return new ListenOptions(List.of(), 6443, List.of(), null, HTTP2_STREAMS);
  }

  public ListenOptions withSecurePort(int port) {
    return new ListenOptions(
        bindAddresses, port, advertiseAddresses, externalHostname, http2MaxStreams, http2Disabled);
  }

  public ListenOptions withoutHttp2() {
    return new ListenOptions(
        bindAddresses, securePort, advertiseAddresses, externalHostname, http2MaxStreams, true);
  }

  private static List<InetAddress> oneOrBothFamilies(String flag, List<InetAddress> addresses) {
    for (var address : addresses) {
      if (address.isMulticastAddress()) {
        throw refused(flag, address, "is a multicast address, and no server's own");
      }
      if (Ip.of(address).toString().equals(BROADCAST)) {
        throw refused(flag, address, "is the broadcast address, and no server's own");
      }
      if (Collections.frequency(addresses, address) > 1) {
        throw refused(flag, address, "is given twice");
      }
    }
    if (addresses.size() > 2) {
      throw new IllegalArgumentException(
          "--" + flag + ": takes one address or a pair, not " + addresses.size());
    }
    if (addresses.size() == 2
        && addresses.get(0) instanceof Inet6Address == addresses.get(1) instanceof Inet6Address) {
      throw new IllegalArgumentException(
          "--" + flag + ": a pair needs one IPv4 and one IPv6 address");
    }
    return List.copyOf(addresses);
  }

  private static IllegalArgumentException refused(
      String flag, InetAddress address, String problem) {
    return new IllegalArgumentException("--" + flag + ": " + Ip.of(address) + " " + problem);
  }

  /** The sockets to listen on: the given addresses, or all interfaces of both families. */
  public List<InetSocketAddress> sockets() {
    return bindAddresses.isEmpty()
        ? List.of(new InetSocketAddress(securePort))
        : bindAddresses.stream()
            .map(address -> new InetSocketAddress(address, securePort))
            .toList();
  }
}
