package dev.muster.controllers.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.controllers.Controller;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class ControllerManagerTest {
  private static final LeaderElection FAST =
      new LeaderElection(
          true,
          Duration.ofSeconds(2),
          Duration.ofMillis(1000),
          Duration.ofMillis(100),
          "kube-system",
          "muster-controller-manager");

  private final AtomicInteger running = new AtomicInteger();
  private final List<Controller> controllers = List.of(new Counting(running), new Failing());
  private LeaseApi api;
  private KubernetesClient client;

  @BeforeEach
  void startApi() throws IOException {
    api = new LeaseApi();
    Config config =
        new ConfigBuilder(Config.empty())
            .withMasterUrl(api.url())
            .withRequestRetryBackoffLimit(0)
            .build();
    client = new KubernetesClientBuilder().withConfig(config).build();
  }

  @AfterEach
  void stopApi() {
    client.close();
    api.close();
  }

  @Test
  void controllersRunWhileTheLeaseIsHeldAndItIsGivenBackAtTheEnd() {
    try (var manager = ControllerManager.start(client, FAST, controllers)) {
      await().until(() -> manager.leading() && running.get() == 1);
      assertThat(api.holder()).isEqualTo(manager.identity());
    }
    assertThat(running).hasValue(0);
    assertThat(api.holder()).isEmpty();
  }

  @Test
  void onlyOneOfTwoLeadsAndTheOtherTakesOver() {
    var first = ControllerManager.start(client, FAST, controllers);
    await().until(first::leading);
    try (var second = ControllerManager.start(client, FAST, controllers)) {
      await()
          .during(Duration.ofMillis(500))
          .until(() -> first.leading() && !second.leading() && running.get() == 1);
      first.close();
      await().until(second::leading);
      assertThat(running).hasValue(1);
    }
    assertThat(running).hasValue(0);
  }

  @Test
  void aLeaderThatCannotRenewStopsItsControllersAndLeadsAgainLater() {
    try (var manager = ControllerManager.start(client, FAST, controllers)) {
      await().until(manager::leading);
      api.setBroken(true);
      await().until(() -> !manager.leading() && running.get() == 0);
      api.setBroken(false);
      await().until(() -> manager.leading() && running.get() == 1);
    }
  }

  @Test
  void withoutElectionControllersRunAtOnce() {
    var none =
        new LeaderElection(
            false,
            FAST.leaseDuration(),
            FAST.renewDeadline(),
            FAST.retryPeriod(),
            FAST.namespace(),
            FAST.name());
    try (var manager = ControllerManager.start(client, none, controllers)) {
      await().until(() -> manager.leading() && running.get() == 1);
      assertThat(api.holder()).isEmpty();
    }
    assertThat(running).hasValue(0);
  }

  /** Counts how many of its loops run. */
  private record Counting(AtomicInteger running) implements Controller {
    @Override
    public String name() {
      return "counting";
    }

    @Override
    public AutoCloseable start(KubernetesClient client) {
      running.incrementAndGet();
      return running::decrementAndGet;
    }
  }

  /** Never starts; must not keep others from it. */
  private record Failing() implements Controller {
    @Override
    public String name() {
      return "failing";
    }

    @Override
    public AutoCloseable start(KubernetesClient client) {
      throw new IllegalStateException("cannot start");
    }
  }
}
