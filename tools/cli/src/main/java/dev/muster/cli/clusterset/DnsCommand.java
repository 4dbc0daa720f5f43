package dev.muster.cli.clusterset;

import dev.muster.cli.command.Command;
import dev.muster.cli.command.CommandFailure;
import dev.muster.cli.command.Connections;
import dev.muster.cli.command.Logs;
import dev.muster.cli.command.StopSignal;
import dev.muster.multicluster.dns.DnsMetrics;
import dev.muster.multicluster.dns.DnsServer;
import dev.muster.multicluster.dns.MetricsListener;
import dev.muster.multicluster.dns.ZoneFollower;
import dev.muster.multicluster.dns.ZoneIndex;
import dev.muster.server.flags.FlagDefinition;
import dev.muster.server.flags.RecordFlags;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.List;
import java.util.stream.Collectors;

/** {@code muster dns}: serves the DNS names of a ClusterSet's services. */
public final class DnsCommand implements Command {
  @Override
  public String name() {
    return "dns";
  }

  @Override
  public String summary() {
    return "Answer DNS queries for the services of a ClusterSet.";
  }

  @Override
  public String description() {
    return "An authority for the zone clusterset.local: names of the ServiceImports and imported"
        + " EndpointSlices of one cluster, from memory. Works with any Kubernetes API server. Point"
        + " the cluster's own DNS at it for that zone.";
  }

  @Override
  public List<FlagDefinition> flags() {
    return RecordFlags.of(DnsFlags.defaults()).definitions();
  }

  @Override
  public int run(Call call) throws InterruptedException {
    var flags = RecordFlags.of(DnsFlags.defaults()).read(call.flags());
    var zone = flags.zoneOptions();
    var listen = flags.listen().read();
    Logs.configure(flags.log());
    var index = new ZoneIndex(zone, (int) Clock.systemUTC().instant().getEpochSecond());
    var metrics = new DnsMetrics(index);
    try (var client = Connections.of(flags.connection().kubeconfig());
        var server = DnsServer.start(listen, index, metrics);
        var _ = ZoneFollower.start(client, index, zone)) {
      call.out()
          .println(
              "muster: dns for %s on %s port %d"
                  .formatted(
                      zone.zone(),
                      listen.addresses().stream()
                          .map(InetAddress::getHostAddress)
                          .collect(Collectors.joining(", ")),
                      server.port()));
      waitWithMetrics(call, flags, metrics, index);
    } catch (IOException e) {
      throw new CommandFailure("cannot listen: " + e.getMessage(), e);
    }
    return 0;
  }

  private static void waitWithMetrics(
      Call call, DnsFlags flags, DnsMetrics metrics, ZoneIndex index)
      throws IOException, InterruptedException {
    if (flags.metrics().port() < 0) {
      StopSignal.await();
      return;
    }
    var address = new InetSocketAddress(flags.metrics().address(), flags.metrics().port());
    try (var listener = MetricsListener.start(address, metrics, index)) {
      call.out().println("muster: metrics on port " + listener.port());
      StopSignal.await();
    } catch (BindException e) {
      throw new IOException("--metrics-port: " + address.getPort() + ": " + e.getMessage(), e);
    }
  }
}
