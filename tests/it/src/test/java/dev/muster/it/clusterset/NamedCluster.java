package dev.muster.it.clusterset;

import dev.muster.cli.identity.ClusterIdentityExtension;
import dev.muster.cli.identity.ClusterIdentityFlags;
import dev.muster.controllers.client.Clients;
import dev.muster.it.Kubectl;
import dev.muster.it.ServerInProcess;
import dev.muster.multicluster.identity.ClusterIdentityController;
import dev.muster.multicluster.identity.ClusterProperties;
import dev.muster.multicluster.membership.ClusterSetMembership;
import dev.muster.multicluster.rules.ClusterIdRules;
import dev.muster.server.options.AuditOptions;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;

/** A cluster in this process, with rules for its properties and an ID. */
record NamedCluster(ServerInProcess server, KubernetesClient client, AutoCloseable identity)
    implements AutoCloseable {

  /** With that ID, or with the one it gives itself. */
  static NamedCluster start(Path folder, Optional<String> id) throws IOException {
    return start(folder, id, AuditOptions.defaults());
  }

  /** With that ID and an audit log. */
  static NamedCluster start(Path folder, Optional<String> id, AuditOptions audit)
      throws IOException {
    Files.createDirectories(folder);
    var rules = ClusterIdentityFlags.defaults().rules();
    var server =
        ServerInProcess.start(
            folder,
            List.of(new ClusterIdentityExtension(rules, shown -> {})),
            options -> options.withAudit(audit));
    var client = Clients.of(server.kubeconfig());
    var identity = new ClusterIdentityController(id, new ClusterIdRules(false)).start(client);
    var cluster = new NamedCluster(server, client, identity);
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> cluster.properties().clusterId().isPresent());
    return cluster;
  }

  ClusterProperties properties() {
    return new ClusterProperties(client);
  }

  Path kubeconfig() {
    return server.kubeconfig();
  }

  Kubectl kubectl() {
    return Kubectl.of(kubeconfig());
  }

  /** Wants to be in another set from now on, whatever the controllers say about it meanwhile. */
  void moveTo(String set) {
    client
        .resources(ClusterSetMembership.class)
        .withName("membership")
        .patch(
            PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"clusterSet\":\"" + set + "\"}}");
  }

  /** Keeps a way to a hub in a Secret of that name. */
  void storeHub(String secret, String kubeconfig) {
    client
        .resource(
            new SecretBuilder()
                .withNewMetadata()
                .withNamespace("kube-system")
                .withName(secret)
                .endMetadata()
                .withStringData(Map.of("kubeconfig", kubeconfig))
                .build())
        .create();
  }

  @Override
  public void close() {
    try {
      identity.close();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    client.close();
    server.close();
  }
}
