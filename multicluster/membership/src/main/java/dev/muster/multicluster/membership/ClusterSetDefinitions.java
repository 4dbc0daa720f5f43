package dev.muster.multicluster.membership;

import dev.muster.multicluster.identity.InstalledDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;

/** The CustomResourceDefinitions of hubs and members. */
final class ClusterSetDefinitions {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration PAUSE = Duration.ofMillis(100);

  static final List<InstalledDefinition> OF_HUB =
      List.of(
          InstalledDefinition.read(ClusterSetDefinitions.class, "clustersets.yaml"),
          InstalledDefinition.read(ClusterSetDefinitions.class, "clustersetmembers.yaml"),
          InstalledDefinition.read(
              ClusterSetDefinitions.class, "exportedservices.clusterset.muster.dev.yaml"),
          InstalledDefinition.read(
              ClusterSetDefinitions.class, "clustersetips.clusterset.muster.dev.yaml"));

  static final InstalledDefinition OF_MEMBER =
      InstalledDefinition.read(ClusterSetDefinitions.class, "clustersetmemberships.yaml");

  private ClusterSetDefinitions() {}

  /**
   * Waits until the definition is served.
   *
   * @throws RefusedByHub when it cannot be served
   */
  static void await(KubernetesClient client, InstalledDefinition definition) {
    long endsAt = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      switch (definition.ensure(client)) {
        case InstalledDefinition.State.Ready ready -> {
          return;
        }
        case InstalledDefinition.State.Unusable unusable ->
            throw new RefusedByHub(unusable.sentence());
        case InstalledDefinition.State.Waiting waiting -> pause(definition, endsAt);
      }
    }
  }

  private static void pause(InstalledDefinition definition, long endsAt) {
    if (System.nanoTime() - endsAt > 0) {
      throw new RefusedByHub(
          "%s is not served after %d s: look at its conditions with kubectl describe crd."
              .formatted(definition.name(), PATIENCE.toSeconds()));
    }
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RefusedByHub("Interrupted while waiting for " + definition.name() + ": try again.");
    }
  }
}
