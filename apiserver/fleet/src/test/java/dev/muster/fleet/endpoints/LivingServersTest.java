package dev.muster.fleet.endpoints;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.fleet.endpoints.form.AddressFamily;
import dev.muster.fleet.endpoints.form.PlannedWrite;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.store.Operation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Seeded schedules of what could make a living server look dead or a dead one look alive: limits
 * that change, a store that stands still, stamps of the past, clocks that are hours apart, records
 * that somebody deletes.
 */
class LivingServersTest {
  private static final String RANGES = "10.0.0.0/24,fd00::/112";
  private static final String CONFIG = "CONFIGMAP/" + ConfigMapRecords.CONFIG_NAME;
  private static final String ENTRIES = "CONFIGMAP/" + ConfigMapRecords.NAME;
  private static final EndpointOptions LEASE = EndpointOptions.defaults();
  private static final EndpointOptions CONFIGMAP = LEASE.withType(ReconcilerType.CONFIGMAP);
  private static final List<String> EXPIRATIONS =
      List.of("1s", "5s", "10s", "20s", "30s", "1m", "2m", "10m");
  private static final List<String> STAMPS =
      List.of("2020-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "2099-01-01T00:00:00Z");

  private Simulation simulation = new Simulation(0);

  private void begin(long seed) {
    simulation = new Simulation(seed);
    simulation.grace = Duration.ofMinutes(3);
  }

  private SimServer start(int number, EndpointOptions options) {
    int hours = simulation.random.nextInt(-3, 4);
    return simulation.start(
        "s" + number,
        "192.0.2." + number + ",2001:db8::" + number,
        6443,
        RANGES,
        options,
        Duration.ofHours(hours));
  }

  private EndpointOptions anyType() {
    return simulation.random.nextBoolean() ? LEASE : CONFIGMAP;
  }

  private Duration upTo(int millis) {
    return Duration.ofMillis(simulation.random.nextInt(millis));
  }

  private <T> T any(List<T> choices) {
    return choices.get(simulation.random.nextInt(choices.size()));
  }

  private void edit(String key, String name, String value) {
    var object = simulation.world.object(key);
    if (object != null) {
      simulation.world.store("hand", key, object.withAt(Json.of(value), "data", name));
    }
  }

  private void freeze(Duration time) {
    simulation.world.freeze();
    simulation.run(time);
    simulation.thaw();
  }

  private void settlesWithoutFault(long seed) {
    edit(CONFIG, ConfigMapRecords.EXPIRATION, "1m");
    simulation.run(Duration.ofMinutes(4));
    simulation.quiet(Duration.ofMinutes(2));
    simulation.checkSettled(6443);
    assertThat(simulation.wrong).as("seed %d", seed).isEmpty();
  }

  @Test
  void aNewExpirationTakesNobodyOut() {
    for (int seed = 0; seed < Simulation.seeds(50); seed++) {
      begin(seed);
      for (int i = 1; i <= 3; i++) {
        start(i, i == 3 ? anyType() : CONFIGMAP);
        simulation.run(upTo(20_000));
      }
      for (int i = 0; i < 8; i++) {
        simulation.run(upTo(70_000));
        edit(CONFIG, ConfigMapRecords.EXPIRATION, any(EXPIRATIONS));
      }
      settlesWithoutFault(seed);
    }
  }

  @Test
  void aServerThatIsGoneIsOutHoweverOftenTheExpirationIsLowered() {
    begin(1);
    start(1, CONFIGMAP);
    var dying = start(2, CONFIGMAP);
    simulation.run(Duration.ofSeconds(30));
    simulation.kill(dying);
    for (int seconds = 59; seconds > 20; seconds--) {
      edit(CONFIG, ConfigMapRecords.EXPIRATION, seconds + "s");
      simulation.run(Duration.ofSeconds(3));
    }
    assertThat(simulation.world.published()).containsExactly("192.0.2.1:6443");
    assertThat(simulation.wrong).isEmpty();
  }

  @Test
  void aStoreThatStandsStillForTwentyFiveSecondsTakesNobodyOut() {
    for (int seed = 0; seed < Simulation.seeds(50); seed++) {
      begin(seed);
      for (int i = 1; i <= 3; i++) {
        start(i, anyType());
      }
      simulation.run(Duration.ofSeconds(15).plus(upTo(20_000)));
      freeze(Duration.ofSeconds(25));
      settlesWithoutFault(seed);
    }
  }

  @Test
  void aStoreThatStandsStillNowAndThenTakesNobodyOutWhoeverComesMeanwhile() {
    for (int seed = 0; seed < Simulation.seeds(50); seed++) {
      begin(seed);
      int next = 1;
      for (; next <= 3; next++) {
        start(next, anyType());
      }
      simulation.run(upTo(30_000));
      for (int i = 0; i < 4; i++) {
        simulation.run(upTo(30_000));
        simulation.world.freeze();
        simulation.run(upTo(60_000));
        boolean before = simulation.random.nextBoolean();
        if (before) {
          start(next++, anyType());
        }
        simulation.run(upTo(2_000));
        simulation.thaw();
        if (!before) {
          start(next++, anyType());
        }
      }
      settlesWithoutFault(seed);
    }
  }

  @Test
  void anEntryStampedInThePastBringsNobodyIn() {
    for (int seed = 0; seed < Simulation.seeds(50); seed++) {
      begin(seed);
      start(1, CONFIGMAP);
      simulation.run(upTo(3_000));
      start(2, anyType());
      simulation.run(upTo(60_000));
      for (int i = 0; i < 4; i++) {
        var port = any(List.of("1", "443", "6443", "9999"));
        edit(ENTRIES, "ip-192-0-2-77-" + port, any(STAMPS));
        simulation.run(upTo(70_000));
      }
      start(3, anyType());
      settlesWithoutFault(seed);
      assertThat(data().keys()).as("seed %d", seed).noneMatch(key -> key.contains("-77-"));
    }
  }

  private JsonObject data() {
    return Objects.requireNonNull(simulation.world.object(ENTRIES)).object("data");
  }

  @Test
  void aServerWhoseClockIsHoursBehindIsPublishedAtOnceAndStays() {
    for (int hours : List.of(-3, 3)) {
      begin(hours);
      simulation.start("a", "192.0.2.1", 6443, RANGES, CONFIGMAP);
      simulation.run(Duration.ofMinutes(1));
      simulation.start("b", "192.0.2.2", 6443, RANGES, CONFIGMAP, Duration.ofHours(hours));
      simulation.run(Duration.ofSeconds(1));
      assertThat(simulation.world.published()).containsExactly("192.0.2.1:6443", "192.0.2.2:6443");
      simulation.quiet(Duration.ofMinutes(5));
      assertThat(simulation.wrong).isEmpty();
    }
  }

  @Test
  void recordsThatSomebodyDeletesTakeNobodyOut() {
    for (int seed = 0; seed < Simulation.seeds(50); seed++) {
      begin(seed);
      for (int i = 1; i <= 4; i++) {
        start(i, i == 1 ? CONFIGMAP : anyType());
      }
      simulation.run(Duration.ofSeconds(2).plus(upTo(60_000)));
      for (int i = 0; i < 5; i++) {
        switch (simulation.random.nextInt(3)) {
          case 0 -> simulation.world.delete(ENTRIES);
          case 1 -> deleteAll(LeaseRecords.OWN);
          default -> deleteAll(LeaseRecords.MASTER);
        }
        simulation.run(upTo(40_000));
      }
      settlesWithoutFault(seed);
    }
  }

  @Test
  void whateverHappensNobodyWhoLivesIsTakenOutAndNobodyElseComesIn() {
    for (int seed = 0; seed < Simulation.seeds(50); seed++) {
      begin(seed);
      int next = 1;
      for (; next <= 3; next++) {
        start(next, anyType());
        simulation.run(upTo(10_000));
      }
      for (int i = 0; i < 20; i++) {
        next += degradedReason(next) ? 1 : 0;
        simulation.run(upTo(20_000));
      }
      simulation.servers.forEach(
          server -> {
            server.paused = false;
            server.cutOff = false;
          });
      settlesWithoutFault(seed);
    }
  }

  /** One of everything that can happen; answers whether a server came. */
  private boolean degradedReason(int next) {
    var servers = simulation.servers;
    var one = any(servers);
    switch (simulation.random.nextInt(9)) {
      case 0 -> freeze(upTo(40_000));
      case 1 -> edit(CONFIG, ConfigMapRecords.EXPIRATION, any(EXPIRATIONS));
      case 2 -> edit(ENTRIES, "ip-192-0-2-77-" + any(List.of("443", "6443")), any(STAMPS));
      case 3 -> simulation.world.delete(ENTRIES);
      case 4 -> deleteAll(any(List.of(LeaseRecords.OWN, LeaseRecords.MASTER)));
      case 5 -> one.paused = !one.paused;
      case 6 -> one.cutOff = !one.cutOff;
      case 7 -> {
        if (servers.size() > 2 && !one.paused && !one.cutOff && simulation.random.nextBoolean()) {
          simulation.stop(one);
        } else if (servers.size() > 2) {
          simulation.kill(one);
        }
      }
      default -> {
        start(next, anyType());
        return true;
      }
    }
    return false;
  }

  @Test
  void aServerWhoseChangesAreUndoneGoesOnRenewing() {
    begin(1);
    start(1, CONFIGMAP);
    start(2, CONFIGMAP);
    simulation.run(Duration.ofSeconds(20));
    for (int i = 0; i < 800; i++) {
      var key = World.key(PlannedWrite.Kind.ENDPOINTS, "kubernetes");
      var endpoints = Objects.requireNonNull(simulation.world.object(key));
      simulation.world.store("hand", key, endpoints.without("subsets"));
      simulation.run(Simulation.STEP);
    }
    simulation.run(Duration.ofMinutes(2));
    simulation.quiet(Duration.ofMinutes(1));
    simulation.checkSettled(6443);
    assertThat(simulation.wrong).isEmpty();
  }

  private void deleteAll(String prefix) {
    for (var entry : simulation.world.under(prefix)) {
      simulation.world.commit(List.of(new Operation.Delete(entry.key(), Operation.ANY)));
    }
  }

  @Test
  void kubeApiserversKeepTheirPortWhoeverElseComes() {
    for (int seed = 0; seed < Simulation.seeds(50); seed++) {
      begin(seed);
      int oldPort = any(List.of(443, 6443, 8443));
      simulation.startOld("192.0.2.201", oldPort);
      simulation.run(Duration.ofSeconds(12));
      for (int i = 1; i <= 3; i++) {
        simulation.start(
            "s" + i, "192.0.2." + i, any(List.of(443, 6443, 8443, 9443)), RANGES, LEASE);
        simulation.run(upTo(20_000));
      }
      simulation.startOld("192.0.2.202", oldPort);
      simulation.run(upTo(40_000));
      simulation.kill(simulation.servers.get(simulation.random.nextInt(3)));
      simulation.run(Duration.ofMinutes(1));
      simulation.quiet(Duration.ofMinutes(1));
      assertThat(simulation.world.published())
          .as("seed %d", seed)
          .contains("192.0.2.201:" + oldPort, "192.0.2.202:" + oldPort);
      var shown = simulation.world.sliced(AddressFamily.IPV4);
      for (var server : simulation.servers) {
        assertThat(shown)
            .as("seed %d", seed)
            .contains("192.0.2." + number(server) + ":" + server.port);
      }
      assertThat(simulation.wrong).as("seed %d", seed).isEmpty();
    }
  }

  private static String number(SimServer server) {
    return server.name.substring(1);
  }

  @Test
  void theCheckerSeesWhoIsTakenOutForAnInstantAndWhoIsBelieved() {
    begin(3);
    var blind = simulation.start("a", "192.0.2.1", 6443, RANGES, LEASE);
    simulation.start("b", "192.0.2.2", 6443, RANGES, LEASE);
    simulation.run(Duration.ofSeconds(20));
    assertThat(simulation.wrong).isEmpty();
    blind.eyes =
        view ->
            new EndpointsView(
                view.leases().stream().filter(entry -> !entry.key().endsWith("/b")).toList(),
                view.masterLeases(),
                PublicationPlan.Objects.of(view.objects().service(), null, Map.of()),
                view.configMap(),
                view.config(),
                view.ranges());
    simulation.run(Duration.ofSeconds(1));
    simulation.world.commit(
        List.of(
            new Operation.Put(
                LeaseRecords.OWN + "ghost",
                LeaseRecords.renewal(
                        new OwnRecord(
                            "ghost", "", List.of("192.0.2.9"), 6443, Duration.ofSeconds(15)),
                        simulation.world.view(),
                        List.of(),
                        null,
                        0,
                        1)
                    .stream()
                    .filter(Operation.Put.class::isInstance)
                    .map(put -> ((Operation.Put) put).value())
                    .findFirst()
                    .orElseThrow(),
                Operation.ANY)));
    blind.eyes = view -> view;
    simulation.run(Duration.ofSeconds(2));
    assertThat(simulation.wrong)
        .anyMatch(problem -> problem.contains("somebody was believed to live: 192.0.2.9:6443"));
  }
}
