package dev.muster.server.options;

import dev.muster.model.address.Ip;
import dev.muster.pki.CertificateNames;
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
 * The addresses at which clients and peers reach this server.
 *
 * @param addresses at most one of each family, in the order of the service ranges; never empty
 */
public record Advertised(List<InetAddress> addresses, int port) {
  private static final Logger LOG = LoggerFactory.getLogger(Advertised.class);
  private static final String FEATURE = "DualStackAPIServer";

  public Advertised {
    addresses = List.copyOf(addresses);
  }

  /**
   * The addresses of the flag. Without it, for each family, the address that the server is bound to
   * or one of the host's. Both families if the service ranges have both and the feature is enabled.
   */
  public static Advertised of(ApiServerOptions options) {
    return of(options, HostAddresses::ofThisMachine);
  }

  public static Advertised of(ApiServerOptions options, HostAddresses host) {
    var listen = options.listen();
    var given = listen.advertiseAddresses();
    var services = options.services();
    boolean dualStack = options.api().enabled(FEATURE, true);
    var found = new ArrayList<InetAddress>();
    for (var range : services.clusterIpRanges()) {
      if (found.isEmpty() || dualStack) {
        var address =
            given.isEmpty() ? detected(listen, range.isSix(), host) : of(given, range.isSix());
        address.ifPresent(found::add);
      }
    }
    if (given.isEmpty()) {
      report(found, services, dualStack);
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

  /**
   * Checks that every advertised family is listened on and has a service range, and that the family
   * of the first range is advertised. Otherwise clients would be sent to an address without a
   * listener.
   *
   * @throws IllegalArgumentException naming the flag, when addresses and service ranges do not
   *     match
   */
  public static void check(ListenOptions listen, ServiceOptions services) {
    var given = listen.advertiseAddresses();
    var ranges = services.clusterIpRanges();
    boolean six = ranges.getFirst().isSix();
    for (var address : given) {
      if (ranges.stream().noneMatch(range -> range.isSix() == isSix(address))) {
        throw refused(
            "advertise-address",
            address,
            "--service-cluster-ip-range has no " + family(isSix(address)) + " range");
      }
    }
    if (!given.isEmpty() && of(given, six).isEmpty()) {
      throw refused(
          "advertise-address",
          given.getFirst(),
          "the first range of --service-cluster-ip-range, "
              + ranges.getFirst()
              + ", is of the other family");
    }
    if (isReachedThroughOthers(listen) || isEverywhere(listen)) {
      return;
    }
    for (var address : given) {
      if (of(listen.bindAddresses(), isSix(address)).isEmpty()) {
        throw refused(
            "advertise-address",
            address,
            "--bind-address, "
                + Ip.of(listen.bindAddresses().getFirst())
                + ", listens on "
                + family(!isSix(address))
                + " only");
      }
    }
    var open = listen.bindAddresses().stream().filter(one -> !one.isLoopbackAddress()).toList();
    if (given.isEmpty() && of(open, six).isEmpty()) {
      throw refused(
          "bind-address",
          open.getFirst(),
          "the first range of --service-cluster-ip-range, "
              + ranges.getFirst()
              + ", is of the other family: nobody would be behind the Service kubernetes");
    }
  }

  /** A wildcard of either family listens on both, as in kube-apiserver. */
  private static boolean isEverywhere(ListenOptions listen) {
    return listen.bindAddresses().isEmpty()
        || listen.bindAddresses().stream().anyMatch(InetAddress::isAnyLocalAddress);
  }

  /**
   * A server that listens only on the loopback interface is reached through a proxy of any family.
   */
  private static boolean isReachedThroughOthers(ListenOptions listen) {
    return listen.bindAddresses().stream().allMatch(InetAddress::isLoopbackAddress);
  }

  private static IllegalArgumentException refused(
      String flag, InetAddress address, String problem) {
    return new IllegalArgumentException(
        "--"
            + flag
            + ": "
            + Ip.of(address)
            + " is an "
            + family(isSix(address))
            + " address, but "
            + problem);
  }

  private static void report(List<InetAddress> found, ServiceOptions services, boolean dualStack) {
    for (var range :
        dualStack ? services.clusterIpRanges() : services.clusterIpRanges().subList(0, 1)) {
      if (of(found, range.isSix()).isEmpty()) {
        LOG.warn(
            "--advertise-address is not given and no {} address was found for the range {} of"
                + " --service-cluster-ip-range: this server does not advertise that family",
            family(range.isSix()),
            range);
      }
    }
  }

  private static Optional<InetAddress> of(List<InetAddress> addresses, boolean six) {
    return addresses.stream().filter(address -> isSix(address) == six).findFirst();
  }

  private static Optional<InetAddress> detected(
      ListenOptions listen, boolean six, HostAddresses host) {
    var bound = listen.bindAddresses();
    var specific = of(bound.stream().filter(address -> !address.isAnyLocalAddress()).toList(), six);
    if (specific.isPresent()) {
      return specific;
    }
    return isEverywhere(listen) ? host.of(six) : Optional.empty();
  }

  private static boolean isSix(InetAddress address) {
    return address instanceof Inet6Address;
  }

  private static String family(boolean six) {
    return six ? "IPv6" : "IPv4";
  }

  public String hostAndPort() {
    return Ip.of(addresses.getFirst()).host() + ":" + port;
  }

  /**
   * The names and addresses in the serving certificate: all advertised and bound addresses, and the
   * first one of each service range.
   */
  public CertificateNames names(ApiServerOptions options) {
    var own = new ArrayList<>(addresses);
    own.addAll(options.listen().advertiseAddresses());
    options.listen().bindAddresses().stream()
        .filter(address -> !address.isAnyLocalAddress())
        .forEach(own::add);
    for (var range : options.services().clusterIpRanges()) {
      own.add(range.at(BigInteger.ONE).toInetAddress());
    }
    return CertificateNames.ofServer(hostName(), own);
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }
}
