package dev.muster.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.embedded.TestCluster;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.kubernetes.client.openapi.ApiClient;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Fields and parameters get what belongs to their cluster. */
@SuppressWarnings("NullAway") // The extension fills in the fields.
class InjectionTest {
  @Muster(
      cluster = "east",
      controllers = {})
  static TestCluster east;

  @Muster(
      cluster = "west",
      controllers = {})
  KubernetesClient west;

  @Muster(cluster = "east")
  private String kubeconfig;

  @Muster(cluster = "east")
  private Path kubeconfigFile;

  @Test
  void everyNameIsAClusterOfItsOwn(@Muster(cluster = "west") TestCluster other) {
    assertThat(other.client()).isSameAs(west);
    assertThat(other).isNotSameAs(east);
    var map = new ConfigMapBuilder().withNewMetadata().withName("here").endMetadata().build();
    west.configMaps().resource(map).create();
    assertThat(east.client().configMaps().withName("here").get()).isNull();
  }

  @Test
  void flagsAreThoseOfOneClusterOnly(
      @Muster(
              cluster = "strict",
              controllers = {},
              flags = "--enable-admission-plugins=AlwaysPullImages")
          KubernetesClient strict) {
    assertThat(pulled(strict)).isEqualTo("Always");
    assertThat(pulled(west)).isEqualTo("IfNotPresent");
  }

  private static String pulled(KubernetesClient client) {
    var pod =
        new PodBuilder()
            .withNewMetadata()
            .withName("web")
            .endMetadata()
            .withNewSpec()
            .addNewContainer()
            .withName("main")
            .withImage("image:1")
            .endContainer()
            .endSpec()
            .build();
    var made = client.pods().resource(pod).create();
    return made.getSpec().getContainers().getFirst().getImagePullPolicy();
  }

  @Test
  void kubeconfigsComeAsTextAndAsFile() {
    var url = Config.fromKubeconfig(kubeconfig).getMasterUrl();
    assertThat(url).startsWith(east.urls().getFirst());
    assertThat(kubeconfigFile).hasContent(kubeconfig);
  }

  @Test
  void aTestFindsNothingOfTheTestBefore() {
    assertThat(west.configMaps().list().getItems()).isEmpty();
    var map = new ConfigMapBuilder().withNewMetadata().withName("here").endMetadata().build();
    west.configMaps().resource(map).create();
  }

  /** Classes inside share the clusters of the class around them. */
  @Nested
  class Inside {
    @Muster(cluster = "east")
    ApiClient official;

    @Test
    void nestedClassesHaveTheSameClusters() {
      assertThat(official.getBasePath()).isEqualTo(east.urls().getFirst());
      assertThat(west.configMaps().list().getItems()).isEmpty();
    }
  }
}
