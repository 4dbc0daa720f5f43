package dev.muster.runtime;

import dev.muster.controllers.Clients;
import dev.muster.controllers.Controller;
import dev.muster.controllers.ControllerManager;
import dev.muster.controllers.ControllerSelection;
import dev.muster.controllers.LeaderElection;
import dev.muster.controllers.manager.ControllerSettings;
import dev.muster.controllers.manager.Controllers;
import dev.muster.controllers.servers.LeaseCollector;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Used by one thread at a time. The chosen controllers of a cluster in this process, which need no
 * Lease because nobody else runs them. Nobody sees their client, which in the published jar is not
 * of the type that users know by that name.
 */
public final class ClusterControllers implements AutoCloseable {
  private final KubernetesClient client;
  private final List<Controller> chosen;
  private @Nullable ControllerManager manager;

  /**
   * Starts none of them yet.
   *
   * @param selection as in {@code --controllers}
   * @param kubeconfig of somebody who may do everything
   * @throws IllegalArgumentException if the selection names one that there is not
   */
  public ClusterControllers(List<String> selection, String kubeconfig, Clock clock) {
    var config = Config.fromKubeconfig(kubeconfig);
    config.setNamespace("default");
    client = Clients.builder(config).build();
    var collector = new LeaseCollector("kube-apiserver-lease", Duration.ofHours(1), clock);
    try {
      chosen =
          new ControllerSelection(selection)
              .of(Controllers.of(client, ControllerSettings.defaults(collector), clock));
    } catch (RuntimeException e) {
      client.close();
      throw e;
    }
  }

  public Set<String> names() {
    return chosen.stream().map(Controller::name).collect(Collectors.toUnmodifiableSet());
  }

  /** Does nothing while they run. */
  public void start() {
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
  public void restart() {
    stop();
    start();
  }

  private void stop() {
    var started = manager;
    manager = null;
    if (started != null) {
      started.close();
    }
  }

  @Override
  public void close() {
    stop();
    client.close();
  }
}
