package example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.muster.embedded.MusterOptions;
import dev.muster.embedded.TestCluster;
import dev.muster.junit.Muster;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

@Muster(options = ClusterTourTest.Rules.class)
class ClusterTourTest {

  static class Rules implements UnaryOperator<MusterOptions> {
    @Override
    public MusterOptions apply(MusterOptions options) {
      return options.withAdmission(
          "images.example.com",
          review -> {
            if (review.writes("Pod") && review.json().contains(":latest")) {
              review.deny("name a version");
            }
          });
    }
  }

  TestCluster cluster;
  KubernetesClient client;

  private static Pod pod(String name, String image) {
    return new PodBuilder()
        .withNewMetadata()
        .withName(name)
        .endMetadata()
        .withNewSpec()
        .addNewContainer()
        .withName("main")
        .withImage(image)
        .endContainer()
        .endSpec()
        .build();
  }

  private static ConfigMap map(String name) {
    return new ConfigMapBuilder().withNewMetadata().withName(name).endMetadata().build();
  }

  @Test
  void aRuleIsALambda() {
    assertThatThrownBy(() -> client.pods().resource(pod("web", "image:latest")).create())
        .hasMessageContaining("denied the request: name a version");
  }

  @Test
  void usersMayDoWhatTheirRolesAllow() {
    var alice = cluster.as("alice");
    assertThatThrownBy(() -> alice.configMaps().list()).hasMessageContaining("cannot list");
    cluster.user("alice").withClusterRole("view");
    assertThat(alice.configMaps().list().getItems()).isNotEmpty();
    assertThatThrownBy(() -> alice.configMaps().resource(map("hers")).create())
        .hasMessageContaining("cannot create");
    cluster.user("alice").withClusterRoleIn("default", "edit");
    alice.configMaps().resource(map("hers")).create();
    cluster.user("alice").allowed("get,list", "", "nodes");
    assertThat(alice.nodes().list().getItems()).isEmpty();
    assertThat(cluster.kubeconfigAs("alice")).contains("client-certificate-data");
  }

  @Test
  void podsAreSetToAState() {
    client.pods().resource(pod("web", "image:1")).create();
    assertThat(cluster.pod("web").scheduled("node-1").getSpec().getNodeName()).isEqualTo("node-1");
    assertThat(cluster.pod("web").running().getStatus().getPhase()).isEqualTo("Running");
    cluster.pod("web").notReady();
    cluster.pod("web").waiting("ImagePullBackOff");
    cluster.pod("web").failed(1);
    client.pods().resource(pod("job", "image:1")).create();
    assertThat(cluster.pod("job").succeeded().getStatus().getPhase()).isEqualTo("Succeeded");
  }

  @Test
  void timeMoves() {
    var before = cluster.clock().instant();
    cluster.advance(Duration.ofHours(1));
    assertThat(cluster.clock().instant()).isAfterOrEqualTo(before.plus(Duration.ofHours(1)));
  }

  @Test
  void statesComeBack() {
    client.configMaps().resource(map("kept")).create();
    var checkpoint = cluster.checkpoint();
    client.configMaps().resource(map("lost")).create();
    assertThat(cluster.report()).contains("name: lost").doesNotContain("name: kept");
    cluster.reset(checkpoint);
    assertThat(client.configMaps().withName("lost").get()).isNull();
    assertThat(client.configMaps().withName("kept").get()).isNotNull();
    cluster.reset();
    assertThat(client.configMaps().withName("kept").get()).isNull();
  }

  @Test
  void otherProgramsHaveAFile() {
    assertThat(cluster.kubeconfigFile()).content().contains("current-context");
  }

  @Test
  void codeThatLooksForItsClusterFindsThisOne() {
    System.setProperty("kubeconfig", cluster.kubeconfigFile().toString());
    try (var found = new KubernetesClientBuilder().build()) {
      found.configMaps().resource(map("found")).create();
      assertThat(client.configMaps().withName("found").get()).isNotNull();
    } finally {
      System.clearProperty("kubeconfig");
    }
  }

  @Test
  void aTestHasFlagsOfItsOwn(
      @Muster(cluster = "pulling", flags = "--enable-admission-plugins=AlwaysPullImages")
          KubernetesClient pulling) {
    var made = pulling.pods().resource(pod("web", "image:1")).create();
    assertThat(made.getSpec().getContainers().getFirst().getImagePullPolicy()).isEqualTo("Always");
  }

  @Test
  void withoutJUnit() {
    try (var other = dev.muster.embedded.Muster.start(MusterOptions.defaults().withServers(2))) {
      other.client(0).configMaps().resource(map("shared")).create();
      await().until(() -> other.client(1).configMaps().withName("shared").get() != null);
      assertThat(client.configMaps().withName("shared").get()).isNull();
    }
  }
}
