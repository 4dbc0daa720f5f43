package dev.muster.fleet.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.fleet.TestClock;
import dev.muster.store.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Fleets whose servers are started, stopped, killed, paused and cut off in a seeded random order,
 * each with a clock of its own, while the invariants are checked after every step.
 */
@Tag("slow")
class FleetSimulationTest {
  private static final int STEPS = 360;
  private static final int SETTLING = 130;
  private static final List<Duration> PERIODS =
      List.of(Duration.ofSeconds(10), Duration.ofMinutes(1), Duration.ofMinutes(5));

  private final MemoryStore store = new MemoryStore();
  private final TestClock clock = TestClock.create();
  private final List<SimulatedServer> servers = new ArrayList<>();
  private final List<SimulatedServer> all = new ArrayList<>();

  @AfterEach
  void close() {
    all.forEach(SimulatedServer::close);
    store.close();
  }

  private void start(String hash, Duration skew) {
    start(hash, skew, Duration.ofMinutes(5));
  }

  private void start(String hash, Duration skew, Duration period) {
    var server = new SimulatedServer(store, clock.skewed(skew), hash, period);
    servers.add(server);
    all.add(server);
  }

  private void step() {
    clock.advance(SimulatedServer.STEP);
    servers.forEach(SimulatedServer::step);
  }

  private static boolean works(SimulatedServer server) {
    return !server.paused && server.connected();
  }

  /** Who says that all agree is right about everybody who works; and who works has its row. */
  private static void check(List<SimulatedServer> servers) {
    var working = servers.stream().filter(FleetSimulationTest::works).toList();
    for (var server : working) {
      assertThat(server.rows())
          .as("rows")
          .containsAll(working.stream().map(SimulatedServer::id).toList());
      if (server.consistent()) {
        assertThat(working)
            .as("all agree with %s", server.id())
            .allMatch(other -> other.hash.equals(server.hash));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void whateverHappensTheAnswerIsTrueAndSettles(long seed) {
    var random = new Random(seed);
    start("h", Duration.ZERO);
    start("h", Duration.ofHours(1));
    for (int i = 0; i < STEPS; i++) {
      disturb(random);
      step();
      step();
      check(servers);
    }
    for (var server : servers) {
      server.paused = false;
      if (!server.connected()) {
        server.mend();
      }
    }
    var wanted = servers.getFirst().hash;
    for (var other : List.copyOf(servers)) {
      if (!other.hash.equals(wanted)) {
        other.leave();
        servers.remove(other);
      }
    }
    for (int i = 0; i < SETTLING; i++) {
      step();
      check(servers);
    }
    assertThat(servers).allMatch(SimulatedServer::consistent);
    assertThat(servers.getFirst().rows())
        .containsExactlyInAnyOrderElementsOf(servers.stream().map(SimulatedServer::id).toList());
  }

  private void disturb(Random random) {
    if (random.nextInt(4) > 0) {
      return;
    }
    var chosen = servers.get(random.nextInt(servers.size()));
    switch (random.nextInt(6)) {
      case 0, 1 -> {
        if (servers.size() < 5) {
          start(
              random.nextInt(4) == 0 ? "other" : "h",
              Duration.ofMinutes(random.nextInt(-60, 61)),
              PERIODS.get(random.nextInt(PERIODS.size())));
        }
      }
      case 2 -> {
        if (servers.size() > 1 && works(chosen)) {
          chosen.leave();
          servers.remove(chosen);
        }
      }
      case 3 -> {
        if (servers.size() > 1) {
          servers.remove(chosen);
        }
      }
      case 4 -> chosen.paused = !chosen.paused;
      default -> {
        if (chosen.connected()) {
          chosen.cut();
        } else {
          chosen.mend();
        }
        step();
      }
    }
  }

  @Test
  void theCheckCatchesAServerThatIsOverlookedByTheOthers() {
    start("h", Duration.ZERO);
    start("h", Duration.ZERO);
    step();
    step();
    check(servers);
    var unheard = new SimulatedServer(store, clock, "other", Duration.ofMinutes(5));
    all.add(unheard);
    var seenByCheckOnly = new ArrayList<>(servers);
    seenByCheckOnly.add(unheard);
    assertThatThrownBy(() -> check(seenByCheckOnly)).isInstanceOf(AssertionError.class);
  }
}
