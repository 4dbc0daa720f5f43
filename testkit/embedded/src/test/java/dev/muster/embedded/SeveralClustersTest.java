package dev.muster.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

/** Several servers of a cluster, and several clusters in one process. */
class SeveralClustersTest {
  @Test
  void serversShareAClusterAndClustersShareNothing() {
    try (var east = Muster.start(MusterOptions.defaults().withServers(2).withControllers());
        var west = Muster.start(MusterOptions.defaults().withControllers())) {
      var map = new ConfigMapBuilder().withNewMetadata().withName("here").endMetadata().build();
      east.client(0).configMaps().resource(map).create();
      assertThat(east.client(1).configMaps().withName("here").get()).isNotNull();
      assertThat(west.client().configMaps().withName("here").get()).isNull();
      assertThat(id(east)).isNotEqualTo(id(west));
      east.reset();
      assertThat(east.client(1).configMaps().withName("here").get()).isNull();
      assertThat(east.urls()).hasSize(2);
    }
  }

  private static String id(TestCluster cluster) {
    return cluster.client().namespaces().withName("kube-system").get().getMetadata().getUid();
  }

  @Test
  void withoutControllersPodsNeedNoServiceAccount() {
    var cluster = Muster.start(MusterOptions.defaults().withControllers());
    var file = cluster.kubeconfigFile();
    try (cluster) {
      var pod =
          new PodBuilder()
              .withNewMetadata()
              .withName("web")
              .endMetadata()
              .withNewSpec()
              .addNewContainer()
              .withName("main")
              .withImage("image")
              .endContainer()
              .endSpec()
              .build();
      cluster.client().pods().resource(pod).create();
      assertThat(cluster.pod("web").running().getStatus().getPhase()).isEqualTo("Running");
      assertThat(file).exists();
    }
    assertThat(Files.exists(file)).as("nothing is left when a cluster is closed").isFalse();
    assertThat(Files.exists(file.getParent())).isFalse();
  }

  @Test
  void aControllerThatThereIsNotIsRefused() {
    assertThatThrownBy(() -> Muster.start(MusterOptions.defaults().withControllers("nobody")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"nobody\" is not in the list of known controllers");
  }
}
