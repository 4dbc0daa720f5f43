package dev.muster.controllers.manager;

import dev.muster.controllers.Controller;
import dev.muster.controllers.NamespaceController;
import dev.muster.controllers.ObjectInEveryNamespace;
import dev.muster.controllers.garbagecollector.GarbageCollector;
import dev.muster.controllers.jobs.TtlAfterFinished;
import dev.muster.controllers.roles.ClusterRoleAggregation;
import dev.muster.controllers.servers.LeaseCollector;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** All controllers there are. */
public final class Controllers {
  private Controllers() {}

  /**
   * Those for the cluster of that client, whose certificates they hand on.
   *
   * @param garbageCollectorSyncs how many objects the garbage collector works on at a time
   */
  public static List<Controller> of(
      KubernetesClient client, LeaseCollector collector, int garbageCollectorSyncs) {
    return of(client, collector, garbageCollectorSyncs, Clock.systemUTC());
  }

  /** The same by another clock, for tests that move time. */
  public static List<Controller> of(
      KubernetesClient client, LeaseCollector collector, int garbageCollectorSyncs, Clock clock) {
    var controllers = new ArrayList<Controller>();
    controllers.add(collector);
    controllers.add(new NamespaceController(clock));
    controllers.add(new GarbageCollector(garbageCollectorSyncs, clock));
    controllers.add(new TtlAfterFinished(clock));
    controllers.add(new ClusterRoleAggregation());
    controllers.add(ObjectInEveryNamespace.serviceAccounts());
    var bundle = certificates(client);
    if (!bundle.isEmpty()) {
      controllers.add(ObjectInEveryNamespace.rootCertificates(bundle));
    }
    return controllers;
  }

  private static String certificates(KubernetesClient client) {
    var config = client.getConfiguration();
    if (config.getCaCertData() != null) {
      return new String(
          Base64.getMimeDecoder().decode(config.getCaCertData()), StandardCharsets.US_ASCII);
    }
    if (config.getCaCertFile() == null) {
      return "";
    }
    try {
      return Files.readString(Path.of(config.getCaCertFile()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
