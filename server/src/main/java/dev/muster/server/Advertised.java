package dev.muster.server;

import dev.muster.access.pki.Names;
import dev.muster.model.Addresses;
import dev.muster.server.options.ListenOptions;
import dev.muster.server.options.ServiceOptions;
import java.math.BigInteger;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Under which addresses others reach this server.
 *
 * @param addresses one of each family at most, in the order of the service ranges; never empty
 */
public record Advertised(List<InetAddress> addresses, int port) {
  private static final Logger LOG = LoggerFactory.getLogger(Advertised.class);
  private static final String FEATURE = "DualStackAPIServer";

  public Advertised {
    addresses = List.copyOf(addresses);
  }

  /**
   * The flag's addresses; else, for each family, the address that the server is bound to or one of
   * the host's. Both families when the service ranges have both and the feature is on.
   *
   * @throws IllegalArgumentException naming the flag, when the given addresses and the service
   *     ranges do not go together
   */
  static Advertised of(ApiServerOptions options) {
    return of(options, HostAddresses::ofThisMachine);
  }

  static Advertised of(ApiServerOptions options, HostAddresses host) {
    var listen = options.listen();
    var given = listen.advertiseAddresses();
    var services = options.services();
    boolean dualStack = options.api().enabled(FEATURE, true);
    if (!given.isEmpty()) {
      check(given, services);
    }
    var found = new ArrayList<InetAddress>();
    for (var range : services.clusterIpRanges()) {
      if (found.isEmpty() || dualStack) {
        var address =
            given.isEmpty() ? detected(listen, range.ipv6(), host) : of(given, range.ipv6());
        address.ifPresent(found::add);
      }
    }
    if (given.isEmpty()) {
      tell(found, services, dualStack);
    }
    if (found.isEmpty()) {
      found.add(
          listen.bindAddresses().stream()
              .filter(address -> !address.isAnyLocalAddress())
              .findFirst()
              .orElse(InetAddress.getLoopbackAddress()));
    }
    return new Advertised(found, listen.securePort());
  }

  private static void check(List<InetAddress> given, ServiceOptions services) {
    var ranges = services.clusterIpRanges();
    for (var address : given) {
      if (ranges.stream().noneMatch(range -> range.ipv6() == isSix(address))) {
        throw new IllegalArgumentException(
            "--advertise-address: "
                + Addresses.text(address)
                + " is an "
                + family(isSix(address))
                + " address, but --service-cluster-ip-range has no "
                + family(isSix(address))
                + " range");
      }
    }
    if (of(given, ranges.getFirst().ipv6()).isEmpty()) {
      throw new IllegalArgumentException(
          "--advertise-address: "
              + Addresses.text(given.getFirst())
              + " is an "
              + family(isSix(given.getFirst()))
              + " address, but the first range of --service-cluster-ip-range, "
              + ranges.getFirst()
              + ", is of the other family");
    }
  }

  private static void tell(List<InetAddress> found, ServiceOptions services, boolean dualStack) {
    for (var range :
        dualStack ? services.clusterIpRanges() : services.clusterIpRanges().subList(0, 1)) {
      if (of(found, range.ipv6()).isEmpty()) {
        LOG.warn(
            "--advertise-address is not given and no {} address was found for the range {} of"
                + " --service-cluster-ip-range: this server does not advertise that family",
            family(range.ipv6()),
            range);
      }
    }
  }

  private static Optional<InetAddress> of(List<InetAddress> addresses, boolean six) {
    return addresses.stream().filter(address -> isSix(address) == six).findFirst();
  }

  /** A wildcard of either family listens on both, as kube-apiserver's do. */
  private static Optional<InetAddress> detected(
      ListenOptions listen, boolean six, HostAddresses host) {
    var bound = listen.bindAddresses();
    var specific = of(bound.stream().filter(address -> !address.isAnyLocalAddress()).toList(), six);
    if (specific.isPresent()) {
      return specific;
    }
    boolean everywhere = bound.isEmpty() || bound.stream().anyMatch(InetAddress::isAnyLocalAddress);
    return everywhere ? host.of(six) : Optional.empty();
  }

  private static boolean isSix(InetAddress address) {
    return address instanceof Inet6Address;
  }

  private static String family(boolean six) {
    return six ? "IPv6" : "IPv4";
  }

  String hostAndPort() {
    return Addresses.host(addresses.getFirst()) + ":" + port;
  }

  /**
   * Everything that the serving certificate has to hold: all addresses that are advertised or
   * bound, and the first one of each service range.
   */
  Names names(ApiServerOptions options) {
    var own = new ArrayList<>(addresses);
    own.addAll(options.listen().advertiseAddresses());
    options.listen().bindAddresses().stream()
        .filter(address -> !address.isAnyLocalAddress())
        .forEach(own::add);
    for (var range : options.services().clusterIpRanges()) {
      own.add(range.at(BigInteger.ONE));
    }
    return Names.ofServer(hostName(), own);
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }
}
