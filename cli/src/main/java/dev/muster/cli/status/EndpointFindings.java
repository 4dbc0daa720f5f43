package dev.muster.cli.status;

import dev.muster.cli.status.FleetStatus.Server;
import dev.muster.cli.status.FleetStatus.State;
import java.util.HashSet;
import java.util.List;

/** Holds the published endpoints against the identity Leases. */
final class EndpointFindings {
  private EndpointFindings() {}

  /**
   * The published endpoints that no server with an identity Lease says to be its own. As many are
   * as good as there are Leases that do not say where their server is, such as kube-apiserver's.
   * Without any Lease there is nothing to compare.
   */
  static List<String> withoutLease(FleetStatus status) {
    var leased =
        status.servers().stream().filter(server -> server.state() != State.NO_LEASE).toList();
    if (leased.isEmpty()) {
      return List.of();
    }
    var named = new HashSet<String>();
    leased.stream().map(Server::addresses).forEach(named::addAll);
    var without =
        status.endpoints().values().stream()
            .flatMap(List::stream)
            .filter(endpoint -> !named.contains(endpoint))
            .toList();
    long placeless = leased.stream().filter(server -> server.addresses().isEmpty()).count();
    return without.size() > placeless ? without : List.of();
  }

  /** In words, with what to do; "" when there is nothing to say. */
  static String text(FleetStatus status) {
    var without = withoutLease(status);
    return without.isEmpty()
        ? ""
        : String.join(", ", without)
            + (without.size() == 1 ? " is" : " are")
            + " published WITHOUT AN IDENTITY LEASE: an API server there runs with"
            + " APIServerIdentity=false, or somebody wrote it; see the events of the Service";
  }
}
