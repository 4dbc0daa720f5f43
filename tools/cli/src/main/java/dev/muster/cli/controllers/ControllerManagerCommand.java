package dev.muster.cli.controllers;

import dev.muster.cli.command.Command;
import dev.muster.cli.command.CommandFailure;
import dev.muster.cli.command.Connections;
import dev.muster.cli.command.Logs;
import dev.muster.cli.command.StopSignal;
import dev.muster.controllers.Controller;
import dev.muster.controllers.client.RequestLimit;
import dev.muster.controllers.election.LeaderElection;
import dev.muster.controllers.manager.ControllerManager;
import dev.muster.controllers.manager.ControllerSelection;
import dev.muster.controllers.metrics.ControllerMetrics;
import dev.muster.server.flags.FlagDefinition;
import dev.muster.server.flags.FlagFiles;
import dev.muster.server.flags.RecordFlags;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code muster controller-manager}: runs the controllers alone, against any API server. */
public final class ControllerManagerCommand implements Command {
  private static final Logger log = LoggerFactory.getLogger(ControllerManagerCommand.class);

  @Override
  public String name() {
    return "controller-manager";
  }

  @Override
  public String summary() {
    return "Run the controllers against an API server.";
  }

  @Override
  public String description() {
    return "Works with any Kubernetes API server. Of several that share a Lease, one is active.";
  }

  @Override
  public List<FlagDefinition> flags() {
    return RecordFlags.of(ControllerManagerFlags.defaults()).definitions();
  }

  @Override
  public int run(Call call) throws Exception {
    var flags = RecordFlags.of(ControllerManagerFlags.defaults()).read(call.flags());
    LeaderElection election;
    try {
      election = flags.election().read();
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(String.valueOf(e.getMessage()), e);
    }
    var certificates = FlagFiles.check(Instant.now(), flags);
    Logs.configure(flags.log());
    certificates.forEach(log::warn);
    try (var client = connect(flags);
        var _ = listen(flags.serving(), call.flags().containsKey("secure-port"), client);
        var manager = ControllerManager.start(client, election, controllers(flags, client))) {
      call.out().println("muster: controller manager " + manager.identity() + " is running");
      StopSignal.await();
    }
    return 0;
  }

  /** If the default port is taken by another manager on the machine, this one runs without it. */
  private static AutoCloseable listen(
      ControllerManagerFlags.Serving serving, boolean insists, KubernetesClient client) {
    if (serving.port() == 0) {
      return () -> {};
    }
    var address = serving.listenAddress();
    var certificate = serving.identity();
    try {
      return ManagerListener.start(
          address, certificate, client, ControllerMetrics.OF_PROCESS.registry());
    } catch (CommandFailure e) {
      if (insists) {
        throw e;
      }
      log.warn("{}; going on without", e.getMessage());
      return () -> {};
    }
  }

  private static List<Controller> controllers(
      ControllerManagerFlags flags, KubernetesClient client) {
    try {
      var all =
          AllControllers.of(client, flags.work(), flags.collection().collector(), flags.identity());
      return new ControllerSelection(flags.selection().controllers()).of(all);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(String.valueOf(e.getMessage()), e);
    }
  }

  private static KubernetesClient connect(ControllerManagerFlags flags) {
    var file = flags.connection().kubeconfig();
    int limit = flags.connection().requestsPerSecond();
    return limit <= 0
        ? Connections.of(file)
        : Connections.of(file, new RequestLimit(limit, flags.connection().burst()));
  }
}
