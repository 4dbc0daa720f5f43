package dev.muster.cli;

import dev.muster.controllers.Controller;
import dev.muster.controllers.manager.ControllerSettings;
import dev.muster.controllers.manager.Controllers;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.List;

/** Those that every Kubernetes has, and those for clusters that know who they are. */
final class AllControllers {
  private AllControllers() {}

  static List<Controller> of(
      KubernetesClient client,
      ControllerSettings settings,
      ControllerManagerFlags.Identity identity) {
    var all = new ArrayList<>(Controllers.of(client, settings));
    all.addAll(identity.controllers());
    return all;
  }
}
