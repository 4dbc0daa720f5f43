package dev.muster.cli.clusterset;

import dev.muster.cli.controllers.ControllerManagerFlags;
import dev.muster.controllers.election.LeaderElection;
import dev.muster.multicluster.membership.ClusterSets;
import dev.muster.multicluster.services.AddressRange;
import dev.muster.server.options.LoggingOptions;
import dev.muster.server.options.flag.FileKind;
import dev.muster.server.options.flag.Flag;
import dev.muster.server.options.flag.FlagGroup;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The flags of {@code muster services}. */
record ServicesFlags(
    Connection connection,
    Member member,
    ControllerManagerFlags.Election election,
    LoggingOptions log) {

  /** The member and the hub. */
  @FlagGroup("Connection")
  record Connection(
      @Flag(
              name = "kubeconfig",
              file = FileKind.KUBECONFIG,
              help =
                  "File with the member's address and the credentials. Unset: what KUBECONFIG"
                      + " names, the home folder's, or the pod's own service account.")
          @Nullable Path kubeconfig,
      @Flag(
              name = "hub-kubeconfig",
              file = FileKind.KUBECONFIG,
              help = "File with the hub's address and the credentials. Required.")
          @Nullable Path hubKubeconfig) {}

  /** The member's identity. */
  @FlagGroup("Member")
  record Member(
      @Flag(
              name = "clusterset",
              help =
                  "The name of the ClusterSet. Unset: what the ClusterProperty clusterset.k8s.io"
                      + " says, whenever it changes.")
          @Nullable String clusterSet,
      @Flag(
              name = "cluster-id",
              help =
                  "The ID of this cluster in the ClusterSet. Unset: what the ClusterProperty"
                      + " cluster.clusterset.k8s.io says.")
          @Nullable String cluster,
      @Flag(
              name = "clusterset-ip-range",
              help =
                  "Ranges of the addresses of services, one of each family at the most. The first"
                      + " member of a set decides; later ones take what it decided.")
          List<String> ranges,
      @Flag(
              name = "leave",
              help =
                  "Take back what this cluster exported, remove what it imported, and end. For a"
                      + " cluster that has left the ClusterSet.")
          boolean leave) {
    Member {
      ranges = List.copyOf(ranges);
      try {
        AddressRange.parseAll(ranges);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("--clusterset-ip-range: " + e.getMessage(), e);
      }
      if (ranges.isEmpty()) {
        throw new IllegalArgumentException("--clusterset-ip-range: must not be empty");
      }
      if (cluster != null
          && !cluster.matches("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")) {
        throw new IllegalArgumentException(
            "--cluster-id: must be a DNS subdomain (RFC 1123) such as east.example.com");
      }
    }
  }

  static ServicesFlags defaults() {
    var election = LeaderElection.defaults();
    return new ServicesFlags(
        new Connection(null, null),
        new Member(null, null, ClusterSets.DEFAULT_RANGES, false),
        new ControllerManagerFlags.Election(
            election.enabled(),
            election.leaseDuration(),
            election.renewDeadline(),
            election.retryPeriod(),
            election.namespace(),
            "muster-services"),
        LoggingOptions.defaults());
  }
}
