package dev.muster.cli.clusterset;

import dev.muster.cli.command.Command;
import dev.muster.cli.command.CommandFailure;
import dev.muster.cli.command.Connections;
import dev.muster.cli.command.Logs;
import dev.muster.cli.command.StopSignal;
import dev.muster.controllers.Controller;
import dev.muster.controllers.election.LeaderElection;
import dev.muster.controllers.manager.ControllerManager;
import dev.muster.multicluster.services.AddressRange;
import dev.muster.multicluster.services.FollowedServices;
import dev.muster.multicluster.services.MemberServices;
import dev.muster.server.flags.FlagDefinition;
import dev.muster.server.flags.RecordFlags;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code muster services}: runs the multi-cluster services of one ClusterSet member. */
public final class ServicesCommand implements Command {
  @Override
  public String name() {
    return "services";
  }

  @Override
  public String summary() {
    return "Export and import services between a cluster and its ClusterSet.";
  }

  @Override
  public String description() {
    return "Runs beside one member of a ClusterSet: what a ServiceExport names goes to the hub, and"
        + " what any member exports becomes a ServiceImport with its EndpointSlices."
        + " Installs the definitions that are missing. Which ClusterSet and which ID is said"
        + " by the cluster's properties and followed, or by flags. Works with any Kubernetes"
        + " API server. Of several that share a Lease in the member, one is active.";
  }

  @Override
  public List<FlagDefinition> flags() {
    return RecordFlags.of(ServicesFlags.defaults()).definitions();
  }

  @Override
  public int run(Call call) throws InterruptedException {
    var flags = RecordFlags.of(ServicesFlags.defaults()).read(call.flags());
    var hubKubeconfig = required("hub-kubeconfig", flags.connection().hubKubeconfig());
    var clusterSet = flags.member().clusterSet();
    var cluster = flags.member().cluster();
    if ((clusterSet == null) != (cluster == null)) {
      throw new CommandFailure(
          "--clusterset and --cluster-id: give both, or none to follow the cluster's properties");
    }
    if (flags.member().leave() && clusterSet == null) {
      throw new CommandFailure("--leave needs --clusterset and --cluster-id");
    }
    var ranges = AddressRange.parseAll(flags.member().ranges());
    LeaderElection election;
    try {
      election = flags.election().read();
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(String.valueOf(e.getMessage()), e);
    }
    Logs.configure(flags.log());
    try (var hub = Connections.of("hub-kubeconfig", hubKubeconfig);
        var member = Connections.of(flags.connection().kubeconfig())) {
      if (clusterSet == null || cluster == null) {
        serve(call, new FollowedServices(hub, ranges), member, election);
      } else if (flags.member().leave()) {
        new MemberServices(hub, clusterSet, cluster, ranges).leave(member);
        call.out().println("muster: nothing of " + cluster + " is left in " + clusterSet);
      } else {
        serve(call, new MemberServices(hub, clusterSet, cluster, ranges), member, election);
      }
    }
    return 0;
  }

  private static void serve(
      Call call, Controller services, KubernetesClient member, LeaderElection election)
      throws InterruptedException {
    try (var manager = ControllerManager.start(member, election, List.of(services))) {
      call.out().println("muster: services of " + manager.identity() + " are followed");
      StopSignal.await();
    }
  }

  private static <T> T required(String flag, @Nullable T value) {
    if (value == null) {
      throw new CommandFailure("--" + flag + " is required");
    }
    return value;
  }
}
