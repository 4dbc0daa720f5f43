package example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.embedded.Muster;
import dev.muster.embedded.TestCluster;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;

@SpringBootTest
class GreetingsTest {

  /** Spring keeps the cluster for all test classes that share the context. */
  @TestConfiguration
  static class ClusterConfiguration {
    @Bean
    TestCluster cluster() {
      return Muster.start();
    }

    @Bean(destroyMethod = "")
    KubernetesClient client(TestCluster cluster) {
      return cluster.client();
    }
  }

  @Autowired TestCluster cluster;
  @Autowired Greetings greetings;

  @BeforeEach
  void reset() {
    cluster.reset();
  }

  @Test
  void aGreetingIsWritten() {
    greetings.greet("world");
    assertThat(cluster.client().configMaps().withName("world").get().getData())
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
