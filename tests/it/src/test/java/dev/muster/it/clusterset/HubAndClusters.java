package dev.muster.it.clusterset;

import static dev.muster.multicluster.rules.WellKnownProperties.CLUSTER_ID;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.controllers.client.Clients;
import dev.muster.controllers.garbagecollector.GarbageCollector;
import dev.muster.it.ServerInProcess;
import dev.muster.multicluster.membership.ClusterSets;
import dev.muster.multicluster.membership.MembershipOperator;
import dev.muster.multicluster.rules.ClusterIdRules;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A hub and three clusters, each a server of its own; after each test all have left their set. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class HubAndClusters {
  static final ClusterIdRules IDS = new ClusterIdRules(false);

  Path folder;
  ServerInProcess hubServer;
  KubernetesClient hub;
  AutoCloseable collector;
  final List<NamedCluster> clusters = new ArrayList<>();

  @BeforeAll
  void start(@TempDir Path files) throws Exception {
    folder = files;
    Files.createDirectories(folder.resolve("hub"));
    hubServer = ServerInProcess.start(folder.resolve("hub"));
    hub = Clients.of(hubServer.kubeconfig());
    collector = new GarbageCollector(2).start(hub);
    for (var id : List.of("one", "two", "three")) {
      clusters.add(NamedCluster.start(folder.resolve(id), Optional.of(id)));
    }
    new ClusterSets(hub).create("prod", "Where the money is made");
    new ClusterSets(hub).create("test", "");
  }

  @AfterAll
  void stop() throws Exception {
    for (var cluster : clusters) {
      cluster.close();
    }
    collector.close();
    hub.close();
    hubServer.close();
  }

  @AfterEach
  void everybodyLeaves() {
    for (var cluster : clusters) {
      operator(cluster).leave();
      assertThat(cluster.properties().clusterSet()).isEmpty();
    }
    cluster(0).properties().set(CLUSTER_ID, "one");
    assertThat(ids("prod")).isEmpty();
    assertThat(ids("test")).isEmpty();
  }

  NamedCluster cluster(int index) {
    return clusters.get(index);
  }

  MembershipOperator operator(NamedCluster cluster) {
    return new MembershipOperator(cluster.client(), hub, IDS);
  }

  List<String> ids(String set) {
    return new ClusterSets(hub)
        .members(set, Instant.now()).stream().map(ClusterSets.MemberView::id).toList();
  }

  static void awaitThat(Callable<Boolean> condition) {
    await().atMost(Duration.ofSeconds(60)).until(condition);
  }
}
