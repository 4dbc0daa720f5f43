package dev.muster.cli.clusterset;

import dev.muster.multicluster.membership.ClusterSets;
import dev.muster.multicluster.services.AddressRange;
import dev.muster.server.options.flag.FileKind;
import dev.muster.server.options.flag.Flag;
import dev.muster.server.options.flag.FlagGroup;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The flags of {@code muster clusterset}. */
@FlagGroup("ClusterSet")
record ClusterSetFlags(
    @Flag(
            name = "hub-kubeconfig",
            file = FileKind.KUBECONFIG,
            help = "Kubeconfig of the hub; its current context is used.")
        @Nullable Path hubKubeconfig,
    @Flag(
            name = "kubeconfig",
            file = FileKind.KUBECONFIG,
            help = "Kubeconfig of the cluster that joins, leaves or moves; its current context.")
        @Nullable Path kubeconfig,
    @Flag(name = "description", help = "Of a ClusterSet that is created, for people.")
        String description,
    @Flag(
            name = "clusterset-ip-range",
            help =
                "Ranges of the addresses of services in a ClusterSet that is created, one of each"
                    + " family at the most.")
        List<String> ranges,
    @Flag(
            name = "allow-long-cluster-id",
            help = "Let clusters join whose ID has 128 characters or more.")
        boolean allowLongClusterId,
    @Flag(name = "request-timeout", help = "How long a server may take to answer.")
        Duration timeout) {
  ClusterSetFlags {
    ranges = List.copyOf(ranges);
    try {
      AddressRange.parseAll(ranges);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--clusterset-ip-range: " + e.getMessage(), e);
    }
    if (ranges.isEmpty()) {
      throw new IllegalArgumentException("--clusterset-ip-range: must not be empty");
    }
  }

  static ClusterSetFlags defaults() {
    return new ClusterSetFlags(
        null, null, "", ClusterSets.DEFAULT_RANGES, false, Duration.ofSeconds(30));
  }
}
