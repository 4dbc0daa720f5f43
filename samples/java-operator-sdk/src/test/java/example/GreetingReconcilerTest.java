package example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.muster.junit.Muster;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.Operator;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@Muster(definitions = Greeting.class)
class GreetingReconcilerTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  KubernetesClient client;
  Operator operator;

  @BeforeEach
  void startOperator() {
    operator =
        new Operator(
            settings -> settings.withKubernetesClient(client).withCloseClientOnStop(false));
    operator.register(new GreetingReconciler());
    operator.start();
  }

  @AfterEach
  void stopOperator() {
    operator.stop();
  }

  private static Greeting greeting(String name, String who) {
    var greeting = new Greeting();
    greeting.setMetadata(new ObjectMetaBuilder().withName(name).build());
    greeting.setSpec(new Greeting.Spec());
    greeting.getSpec().who = who;
    return greeting;
  }

  @Test
  void aGreetingIsWritten() {
    client.resource(greeting("first", "world")).create();
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              var greeting = client.resources(Greeting.class).withName("first").get();
              assertThat(greeting.getStatus()).isNotNull();
              assertThat(greeting.getStatus().text).isEqualTo("hello world");
            });
  }

  @Test
  void theTextGoesWithItsGreeting() {
    client.resource(greeting("first", "world")).create();
    await().atMost(PATIENCE).until(() -> client.configMaps().withName("first").get() != null);
    client.resources(Greeting.class).withName("first").delete();
    await().atMost(PATIENCE).until(() -> client.configMaps().withName("first").get() == null);
  }

  @Test
  void theGeneratorsSchemaIsInForce() {
    assertThatThrownBy(() -> client.resource(greeting("nobody", null)).create())
        .hasMessageContaining("spec.who: Required value");
  }
}
