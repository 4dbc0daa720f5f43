package dev.muster.cli.clusterset;

import dev.muster.cli.command.CommandFailure;
import dev.muster.multicluster.dns.ListenAddresses;
import dev.muster.multicluster.dns.ZoneOptions;
import dev.muster.server.options.LoggingOptions;
import dev.muster.server.options.flag.FileKind;
import dev.muster.server.options.flag.Flag;
import dev.muster.server.options.flag.FlagGroup;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The flags of {@code muster dns}. */
record DnsFlags(
    Connection connection, Zone zone, Listen listen, Metrics metrics, LoggingOptions log) {

  /** The cluster whose imported services have names. */
  @FlagGroup("Connection")
  record Connection(
      @Flag(
              name = "kubeconfig",
              file = FileKind.KUBECONFIG,
              help =
                  "File with the API server's address and the credentials. Unset: what KUBECONFIG"
                      + " names, the home folder's, or the pod's own service account.")
          @Nullable Path kubeconfig) {}

  /** The zone. */
  @FlagGroup("Zone")
  record Zone(
      @Flag(name = "zone", help = "The domain that all names are in.") String name,
      @Flag(
              name = "ttl",
              help = "How long others may keep an answer, also the one that there is no such name.")
          Duration timeToLive,
      @Flag(
              name = "strict-kep-1645",
              help =
                  "Give no records to <clusterid>.<svc>.<ns>.svc.<zone>, a cluster's share of a"
                      + " headless service, which KEP-1645 forbids and KEP-2149 wishes for.")
          boolean strict,
      @Flag(
              name = "nameserver-address",
              help =
                  "Addresses under which others reach this server, for ns.dns.<zone>. Unset: those"
                      + " of --bind-address.")
          List<InetAddress> nameServers) {
    Zone {
      nameServers = List.copyOf(nameServers);
    }
  }

  /** The listening addresses. */
  @FlagGroup("Listening")
  record Listen(
      @Flag(
              name = "bind-address",
              help =
                  "Addresses on which to listen, separated by commas. Unset: all interfaces, of"
                      + " both families where the host has them.")
          List<InetAddress> addresses,
      @Flag(name = "port", help = "For UDP and TCP; 0 takes a free one.") int port,
      @Flag(name = "threads", help = "How many answer; 0 is one for each processor.") int threads,
      @Flag(
              name = "max-udp-size",
              help = "The longest answer by UDP in bytes; longer ones are asked for by TCP.")
          int largestDatagram,
      @Flag(name = "tcp-idle-timeout", help = "How long a connection may be silent.") Duration idle,
      @Flag(name = "max-tcp-connections", help = "How many there may be at a time.")
          int connections) {
    Listen {
      addresses = List.copyOf(addresses);
      between("port", port, 0, 65_535);
      between("threads", threads, 0, 256);
      between("max-udp-size", largestDatagram, 512, 4096);
      between("max-tcp-connections", connections, 1, 1_000_000);
      if (idle.compareTo(Duration.ofMillis(100)) < 0) {
        throw new IllegalArgumentException("--tcp-idle-timeout: must be at least 100ms");
      }
    }

    ListenAddresses read() {
      return new ListenAddresses(
          addresses.isEmpty() ? ListenAddresses.everywhere() : addresses,
          port,
          threads == 0 ? Runtime.getRuntime().availableProcessors() : threads,
          largestDatagram,
          idle,
          connections);
    }
  }

  /** The address of metrics and health checks. */
  @FlagGroup("Metrics")
  record Metrics(
      @Flag(name = "metrics-bind-address", help = "Address of /metrics, /livez and /readyz.")
          InetAddress address,
      @Flag(name = "metrics-port", help = "Its port; 0 takes a free one, -1 has none.") int port) {
    Metrics {
      between("metrics-port", port, -1, 65_535);
    }
  }

  private static void between(String flag, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "--%s: must be between %d and %d".formatted(flag, least, most));
    }
  }

  ZoneOptions zoneOptions() {
    var nameServers = zone.nameServers().isEmpty() ? listen.addresses() : zone.nameServers();
    try {
      return new ZoneOptions(
          zone.name(),
          zone.timeToLive(),
          zone.strict(),
          nameServers.stream().filter(address -> !address.isAnyLocalAddress()).toList());
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(String.valueOf(e.getMessage()), e);
    }
  }

  static DnsFlags defaults() {
    return new DnsFlags(
        new Connection(null),
        new Zone("clusterset.local", Duration.ofSeconds(5), false, List.of()),
        new Listen(List.of(), 53, 0, 1232, Duration.ofSeconds(10), 1000),
        new Metrics(InetAddress.ofLiteral("127.0.0.1"), 9153),
        LoggingOptions.defaults());
  }
}
