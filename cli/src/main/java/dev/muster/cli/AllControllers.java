package dev.muster.cli;

import dev.muster.clusterset.membership.MembershipController;
import dev.muster.clusterset.rules.ClusterIdRules;
import dev.muster.controllers.Controller;
import dev.muster.controllers.manager.Controllers;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/** Those that every Kubernetes has, and those for clusters that know who they are. */
final class AllControllers {
  private AllControllers() {}

  static List<Controller> of(
      KubernetesClient client,
      ControllerManagerFlags.Collection collection,
      int garbageCollectorSyncs,
      ControllerManagerFlags.Identity identity) {
    var all =
        new ArrayList<>(Controllers.of(client, collection.collector(), garbageCollectorSyncs));
    all.add(identity.controller());
    all.add(
        new MembershipController(new ClusterIdRules(identity.allowLong()), Clock.systemUTC()));
    return all;
  }
}
