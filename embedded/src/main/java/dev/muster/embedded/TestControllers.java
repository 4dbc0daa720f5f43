package dev.muster.embedded;

import dev.muster.controllers.Controller;
import dev.muster.controllers.ControllerManager;
import dev.muster.controllers.ControllerSelection;
import dev.muster.controllers.LeaderElection;
import dev.muster.controllers.manager.ControllerSettings;
import dev.muster.controllers.manager.Controllers;
import dev.muster.controllers.servers.LeaseCollector;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Used by one thread at a time. The chosen controllers of a cluster, which need no Lease because
 * nobody else runs them.
 */
final class TestControllers implements AutoCloseable {
  private final KubernetesClient client;
  private final List<Controller> chosen;
  private @Nullable ControllerManager manager;

  /**
   * @throws IllegalArgumentException if the selection names one that there is not
   */
  TestControllers(KubernetesClient client, List<String> selection, Clock clock) {
    this.client = client;
    var collector = new LeaseCollector("kube-apiserver-lease", Duration.ofHours(1), clock);
    this.chosen =
        new ControllerSelection(selection)
            .of(Controllers.of(client, ControllerSettings.defaults(collector), clock));
  }

  Set<String> names() {
    return chosen.stream().map(Controller::name).collect(Collectors.toUnmodifiableSet());
  }

  void start() {
    if (manager == null && !chosen.isEmpty()) {
      var usual = LeaderElection.defaults();
      manager =
          ControllerManager.start(
              client,
              new LeaderElection(
                  false,
                  usual.leaseDuration(),
                  usual.renewDeadline(),
                  usual.retryPeriod(),
                  usual.namespace(),
                  usual.name()),
              chosen);
    }
  }

  /** Has them look at everything anew, with no memory of what was. */
  void restart() {
    close();
    start();
  }

  @Override
  public void close() {
    var started = manager;
    manager = null;
    if (started != null) {
      started.close();
    }
  }
}
