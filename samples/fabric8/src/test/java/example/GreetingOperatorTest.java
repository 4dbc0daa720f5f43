package example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.muster.junit.Muster;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@Muster(manifests = "greetings.yaml")
class GreetingOperatorTest {
  KubernetesClient client;
  GreetingOperator operator;

  @BeforeEach
  void startOperator() {
    operator = new GreetingOperator(client);
  }

  @AfterEach
  void stopOperator() {
    operator.close();
  }

  private void greet(String name, String who) {
    client
        .resource(
            """
            apiVersion: example.com/v1
            kind: Greeting
            metadata: {name: %s, namespace: default}
            spec: {who: "%s"}
            """
                .formatted(name, who))
        .serverSideApply();
  }

  private String text(String name) {
    var map = client.configMaps().withName(name).get();
    return map == null ? "" : map.getData().get("text");
  }

  @Test
  void aGreetingIsWritten() {
    greet("first", "world");
    await().atMost(Duration.ofMinutes(1)).until(() -> text("first").equals("hello world"));
  }

  @Test
  void aGreetingThatChangesIsWrittenAgain() {
    greet("first", "world");
    greet("first", "moon");
    await().atMost(Duration.ofMinutes(1)).until(() -> text("first").equals("hello moon"));
  }

  @Test
  void theTextGoesWithItsGreeting() {
    greet("first", "world");
    await().atMost(Duration.ofMinutes(1)).until(() -> !text("first").isEmpty());
    client.genericKubernetesResources("example.com/v1", "Greeting").withName("first").delete();
    await().atMost(Duration.ofMinutes(1)).until(() -> text("first").isEmpty());
  }

  @Test
  void aGreetingNeedsSomebody() {
    assertThatThrownBy(() -> greet("nobody", "")).hasMessageContaining("spec.who");
    assertThat(text("nobody")).isEmpty();
  }
}
