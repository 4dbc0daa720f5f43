package dev.muster.controllers.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.controllers.Controller;
import dev.muster.controllers.election.LeaderElection;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  @ParameterizedTest
  @ValueSource(ints = {-3, 3})
  void aLivingLeaderKeepsItsLeaseWhateverItsClockSays(int hours) {
    var renewals = new AtomicInteger();
    Runnable renew =
        () -> {
          renewals.incrementAndGet();
          api.edit(
              spec -> {
                spec.setHolderIdentity("other");
                spec.setLeaseDurationSeconds(2);
                spec.setLeaseTransitions(1);
                spec.setAcquireTime(ZonedDateTime.now(ZoneOffset.UTC).plusHours(hours));
                spec.setRenewTime(ZonedDateTime.now(ZoneOffset.UTC).plusHours(hours));
              });
        };
    renew.run();
    try (var leader = Executors.newSingleThreadScheduledExecutor();
        var manager = ControllerManager.start(client, FAST, controllers)) {
      leader.scheduleAtFixedRate(renew, 50, 50, TimeUnit.MILLISECONDS);
      await().until(() -> renewals.get() > 60 || !api.holder().equals("other"));
      assertThat(api.holder()).isEqualTo("other");
      assertThat(manager.leading()).isFalse();
      leader.shutdownNow();
      await().until(manager::leading);
    }
  }

  /** Answers come late or never; the deadline needs none. */
  @Test
  void aLeaderStopsAtItsDeadlineAlthoughTheServerHangs() {
    try (var manager = ControllerManager.start(client, FAST, controllers)) {
      await().until(() -> manager.leading() && running.get() == 1);
      api.pause();
      await().until(() -> !manager.leading() && running.get() == 0);
      api.resume();
      await().until(() -> manager.leading() && running.get() == 1);
    }
    assertThat(running).hasValue(0);
    assertThat(api.holder()).isEmpty();
  }

  @Test
  void managersWithClocksHoursApartStartAtOnceAndOneLeadsAtATime() {
    var managers = new ArrayList<ControllerManager>();
    try {
      for (int hours : List.of(0, 3, -3, 3, -3)) {
        var clock = Clock.offset(Clock.systemUTC(), Duration.ofHours(hours));
        managers.add(ControllerManager.start(client, FAST, controllers, clock));
      }
      for (int terms = 1; !managers.isEmpty(); terms++) {
        await().until(() -> managers.stream().anyMatch(ControllerManager::leading));
        await().until(() -> running.get() == 1);
        await().during(Duration.ofMillis(300)).until(() -> leading(managers).size() == 1);
        var leader = leading(managers).getFirst();
        assertThat(api.holder()).isEqualTo(leader.identity());
        assertThat(api.lease().getSpec().getLeaseTransitions()).isEqualTo(terms - 1);
        leader.close();
        managers.remove(leader);
      }
    } finally {
      managers.forEach(ControllerManager::close);
    }
    assertThat(running).hasValue(0);
  }

  private static List<ControllerManager> leading(List<ControllerManager> managers) {
    return managers.stream().filter(ControllerManager::leading).toList();
  }

  @Test
  void aLeaseThatIsDeletedUnderALeaderIsMadeAgainWithItsTimes() {
    try (var manager = ControllerManager.start(client, FAST, controllers);
        var other = ControllerManager.start(client, FAST, controllers)) {
      await().until(() -> manager.leading() || other.leading());
      var leader = manager.leading() ? manager : other;
      var acquired = api.lease().getSpec().getAcquireTime();
      api.delete();
      await().until(() -> api.lease() != null);
      assertThat(api.holder()).isEqualTo(leader.identity());
      assertThat(api.lease().getSpec().getAcquireTime()).isEqualTo(acquired);
      assertThat(leader.leading()).isTrue();
      assertThat(running).hasValue(1);
    }
  }

  @Test
  void aLeaderWhoseLeaseIsTakenStopsAndSaysSoInEvents() {
    try (var manager = ControllerManager.start(client, FAST, controllers)) {
      await().until(() -> manager.leading() && running.get() == 1);
      api.edit(spec -> spec.setHolderIdentity("thief"));
      await().until(() -> !manager.leading() && running.get() == 0);
      assertThat(api.holder()).isEqualTo("thief");
      await().until(() -> manager.leading() && running.get() == 1);
      await().until(() -> api.events().size() == 3);
      assertThat(api.events())
          .containsExactly(
              manager.identity() + " became leader",
              manager.identity() + " stopped leading",
              manager.identity() + " became leader");
    }
  }

  /** A controller that takes its time to start must not cost the Lease. */
  @Test
  void theLeaseIsRenewedWhileControllersStart() throws InterruptedException {
    var started = new CountDownLatch(1);
    var slow = new Slow(started);
    try (var manager =
            ControllerManager.start(client, FAST, List.of(slow, controllers.getFirst()));
        var other = ControllerManager.start(client, FAST, List.of())) {
      await().until(() -> manager.leading() || other.leading());
      var leader = manager.leading() ? manager : other;
      var first = api.lease().getSpec().getRenewTime();
      var afterwards = first.plus(FAST.leaseDuration());
      await().until(() -> api.lease().getSpec().getRenewTime().isAfter(afterwards));
      assertThat(api.holder()).isEqualTo(leader.identity());
      started.countDown();
    }
    assertThat(running).hasValue(0);
  }

  @Test
  void aStopWhileTheServerHangsDoesNotWaitForIt() {
    var manager = ControllerManager.start(client, FAST, controllers);
    await().until(manager::leading);
    api.pause();
    manager.close();
    assertThat(running).hasValue(0);
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

  /** Starts when it may. */
  private record Slow(CountDownLatch started) implements Controller {
    @Override
    public String name() {
      return "slow";
    }

    @Override
    public AutoCloseable start(KubernetesClient client) {
      await().until(() -> started.getCount() == 0);
      return () -> {};
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
