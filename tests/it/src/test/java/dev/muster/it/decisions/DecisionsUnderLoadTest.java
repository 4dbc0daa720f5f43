package dev.muster.it.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.it.races.RacingServers;
import dev.muster.store.Store;
import dev.muster.store.etcd.EtcdOptions;
import dev.muster.store.etcd.EtcdStore;
import dev.muster.testing.CarelessStore.Carelessness;
import dev.muster.testing.EtcdCluster;
import dev.muster.testing.NeedsProgram;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Roles, bindings, policies and webhook configurations come and go many times a second while
 * clients read and write through three servers: no request is decided by a rule that was
 * acknowledged gone before it began, nor without one that was acknowledged there.
 */
@Tag("slow")
class DecisionsUnderLoadTest {
  private static final int SERVERS = 3;
  private static final int REQUESTS = Integer.getInteger("muster.decisions.requests", 2_500);
  private static final Duration TIME =
      Duration.ofSeconds(Integer.getInteger("muster.decisions.seconds", 10));

  /** In microseconds: the longest that a server hears of a commit late. */
  private static final int LAG = 4_000;

  /** Long enough that what is left out shows on any machine. */
  private static final int CARELESS_LAG = 40_000;

  @TempDir private Path folder;

  private DecisionLoad.Outcome run(List<Store> stores, int requests, Set<Carelessness> careless)
      throws Exception {
    long seed = Long.getLong("muster.seed", new Random().nextLong());
    System.out.println("The seed is " + seed + " (-Dmuster.seed repeats it)");
    int lag = careless.isEmpty() ? LAG : CARELESS_LAG;
    try (var servers = RacingServers.start(folder, stores, seed, lag, careless)) {
      var limit = DecisionLoad.Limit.of(requests, TIME);
      var outcome = DecisionLoad.run(servers, stores.getFirst(), seed, !careless.isEmpty(), limit);
      System.out.printf(
          "%d changes of rules, %d requests, %d violations%n",
          outcome.log().size(),
          outcome.observed().size() - outcome.log().size(),
          outcome.violations().size());
      return outcome;
    }
  }

  @Test
  void everyRequestIsDecidedByTheRulesOfOneMomentNoOlderThanItself() throws Exception {
    var outcome = run(RacingServers.inMemory(SERVERS), REQUESTS, Set.of());
    assertThat(outcome.violations()).isEmpty();
    assertThat(DecisionLoad.hasAllVerdicts(outcome.observed())).isTrue();
  }

  @Test
  @NeedsProgram(value = "etcd", from = "3.4")
  void theSameHoldsOnEtcd() throws Exception {
    try (var etcd = EtcdCluster.start(folder.resolve("etcd"), 1)) {
      var stores = new ArrayList<Store>();
      for (int i = 0; i < SERVERS; i++) {
        stores.add(EtcdStore.open(EtcdOptions.at(etcd.endpoints())));
      }
      var outcome = run(stores, REQUESTS, Set.of());
      assertThat(outcome.violations()).isEmpty();
      assertThat(DecisionLoad.hasAllVerdicts(outcome.observed())).isTrue();
    }
  }

  /** What this test is worth: servers that leave something out do not pass it. */
  @ParameterizedTest
  @EnumSource
  void whatServersLeaveOutIsSeen(Carelessness careless) throws Exception {
    try {
      assertThat(run(RacingServers.inMemory(SERVERS), 900, Set.of(careless)).violations())
          .isNotEmpty();
    } catch (ExecutionException e) {
      // An answer that no server may give, as that an object is not there which was just made.
      assertThat(e).hasCauseInstanceOf(IllegalStateException.class);
    }
  }
}
