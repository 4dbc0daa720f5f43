package example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.embedded.TestCluster;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
@WithTestResource(ClusterResource.class)
class GreetingsTest {
  TestCluster cluster;
  @Inject KubernetesClient client;
  @Inject Greetings greetings;

  @BeforeEach
  void reset() {
    cluster.reset();
  }

  @Test
  void aGreetingIsWritten() {
    greetings.greet("world");
    assertThat(client.configMaps().withName("world").get().getData())
        .containsEntry("text", "hello world");
  }

  @Test
  void nobodyIsGreetedTwice() {
    greetings.greet("world");
    assertThatThrownBy(() -> greetings.greet("world"))
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("already exists");
  }
}
