package dev.muster.fleet.endpoints;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.fleet.endpoints.form.PlannedWrite;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Fleets that come and go in simulated time; afterwards nothing may change for two minutes. */
class FlappingTest {
  private static final Duration QUIET = Duration.ofMinutes(2);
  private static final String RANGES = "10.0.0.0/24,fd00::/112";
  private static final EndpointOptions LEASE = EndpointOptions.defaults();
  private static final EndpointOptions CONFIGMAP = LEASE.withType(ReconcilerType.CONFIGMAP);

  record Fleet(int servers, int count, boolean mixed) {}

  static Stream<Fleet> fleets() {
    return Stream.of(1, 2, 3, 5)
        .flatMap(
            servers ->
                Stream.of(1, 9)
                    .flatMap(
                        count ->
                            Stream.of(
                                new Fleet(servers, count, false),
                                new Fleet(servers, count, true))));
  }

  @ParameterizedTest
  @MethodSource("fleets")
  void nothingChangesInASettledFleetWhateverItsCount(Fleet fleet) {
    for (int seed = 0; seed < Simulation.seeds(12); seed++) {
      var simulation = new Simulation(seed);
      simulation.grace = fleet.mixed() ? Duration.ofMinutes(2) : Simulation.LEASE_GRACE;
      int next = 1;
      for (; next <= fleet.servers(); next++) {
        simulation.start("s" + next, addresses(next), 6443, RANGES, options(fleet, next));
        simulation.run(Duration.ofMillis(simulation.random.nextInt(12_000)));
      }
      simulation.run(Duration.ofSeconds(30));
      for (int i = 0; i < fleet.servers(); i++) {
        var leaving = simulation.servers.getFirst();
        if (simulation.random.nextBoolean()) {
          simulation.kill(leaving);
        } else {
          simulation.stop(leaving);
        }
        simulation.run(Duration.ofMillis(simulation.random.nextInt(20_000)));
        simulation.start("s" + next, addresses(next), 6443, RANGES, options(fleet, next));
        next++;
      }
      simulation.run(simulation.grace.plusSeconds(10));
      simulation.quiet(QUIET);
      simulation.checkSettled(6443);
      assertThat(simulation.wrong).as("seed %d of %s", seed, fleet).isEmpty();
    }
  }

  private static String addresses(int number) {
    return "192.0.2." + number + ",2001:db8::" + number;
  }

  private static EndpointOptions options(Fleet fleet, int number) {
    return (fleet.mixed() && number % 2 == 0 ? CONFIGMAP : LEASE).withServerCount(fleet.count());
  }

  @Test
  void serversThatDoNotKnowOneAnotherAgreeOnTheServiceWhateverTheirPortsAndFamilies() {
    var none = LEASE.withType(ReconcilerType.NONE);
    for (int seed = 0; seed < Simulation.seeds(12); seed++) {
      var simulation = new Simulation(seed);
      simulation.start("a", "192.0.2.1,2001:db8::1", 6443, RANGES, none);
      simulation.start("b", "192.0.2.2", 7443, RANGES, none);
      simulation.run(Duration.ofSeconds(30));
      assertThat(targetPort(simulation)).isIn(6443L, 7443L);
      simulation.quiet(QUIET);
      simulation.start("c", "192.0.2.3", 8443, RANGES, LEASE);
      simulation.run(simulation.grace.plusSeconds(30));
      assertThat(targetPort(simulation)).as("who knows the fleet decides").isEqualTo(8443);
      simulation.quiet(QUIET);
      assertThat(simulation.wrong).as("seed %d", seed).isEmpty();
    }
  }

  private static long targetPort(Simulation simulation) {
    var service = simulation.world.object(World.key(PlannedWrite.Kind.SERVICE, "kubernetes"));
    return Objects.requireNonNull(service)
        .object("spec")
        .array("ports")
        .object(0)
        .integer("targetPort", 0);
  }

  @Test
  void clocksThatDisagreeByAnHourDoNotMatter() {
    for (int seed = 0; seed < Simulation.seeds(12); seed++) {
      var simulation = new Simulation(seed);
      simulation.grace = Duration.ofMinutes(2);
      simulation.start("a", "192.0.2.1", 6443, RANGES, CONFIGMAP);
      simulation.start("b", "192.0.2.2", 6443, RANGES, CONFIGMAP, Duration.ofHours(1));
      simulation.start("c", "192.0.2.3", 6443, RANGES, CONFIGMAP, Duration.ofHours(-1));
      simulation.run(Duration.ofMinutes(5));
      simulation.quiet(QUIET);
      simulation.checkSettled(6443);
      simulation.kill(simulation.servers.get(1));
      simulation.run(Duration.ofSeconds(130));
      simulation.quiet(QUIET);
      simulation.checkSettled(6443);
      assertThat(simulation.wrong).as("seed %d", seed).isEmpty();
    }
  }

  @Test
  void pausedAndCutOffServersAreTakenOutAndComeBack() {
    for (int seed = 0; seed < Simulation.seeds(60); seed++) {
      var simulation = new Simulation(seed);
      for (int i = 1; i <= 4; i++) {
        simulation.start("s" + i, addresses(i), 6443, RANGES, i == 4 ? CONFIGMAP : LEASE);
      }
      simulation.grace = Duration.ofMinutes(2);
      simulation.run(Duration.ofSeconds(20));
      for (int i = 0; i < 6; i++) {
        var one = simulation.servers.get(simulation.random.nextInt(4));
        boolean pause = simulation.random.nextBoolean();
        one.paused = pause;
        one.cutOff = !pause;
        simulation.run(Duration.ofMillis(simulation.random.nextInt(40_000)));
        if (simulation.random.nextInt(3) != 0) {
          one.paused = false;
          one.cutOff = false;
          simulation.run(Duration.ofMillis(simulation.random.nextInt(10_000)));
        }
      }
      simulation.servers.forEach(
          server -> {
            server.paused = false;
            server.cutOff = false;
          });
      simulation.run(Duration.ofMinutes(2));
      simulation.quiet(QUIET);
      simulation.checkSettled(6443);
      assertThat(simulation.wrong).as("seed %d", seed).isEmpty();
    }
  }

  @Test
  void aSharedAddressStaysWhileAnyServerBehindItLives() {
    for (int seed = 0; seed < Simulation.seeds(60); seed++) {
      var simulation = new Simulation(seed);
      boolean configMap = seed % 3 == 2;
      simulation.grace = Duration.ofSeconds(configMap ? 120 : 27);
      var options = configMap ? CONFIGMAP : LEASE;
      for (int i = 1; i <= 3; i++) {
        simulation.start("s" + i, "192.0.2.100", 6443, RANGES, options);
      }
      simulation.run(Duration.ofSeconds(15));
      for (int i = 4; i <= 9; i++) {
        var leaving = simulation.servers.get(simulation.random.nextInt(3));
        if (simulation.random.nextBoolean()) {
          simulation.kill(leaving);
        } else {
          simulation.stop(leaving);
        }
        simulation.run(Duration.ofMillis(simulation.random.nextInt(30_000)));
        simulation.start("s" + i, "192.0.2.100", 6443, RANGES, options);
        simulation.run(Duration.ofMillis(simulation.random.nextInt(10_000)));
      }
      simulation.run(simulation.grace);
      simulation.quiet(QUIET);
      simulation.checkSettled(6443);
      assertThat(simulation.wrong).as("seed %d", seed).isEmpty();
    }
  }

  @Test
  void serversOnOneAddressWithDifferentPortsAreAllPublished() {
    for (int seed = 0; seed < Simulation.seeds(30); seed++) {
      var simulation = new Simulation(seed);
      for (int i = 1; i <= 3; i++) {
        simulation.start("s" + i, "192.0.2.1,2001:db8::1", 6442 + i, RANGES, LEASE);
      }
      simulation.run(Duration.ofSeconds(30));
      simulation.quiet(QUIET);
      simulation.checkSettled(6443);
      assertThat(simulation.world.slices().keySet())
          .containsExactlyInAnyOrder(
              "kubernetes",
              "kubernetes-6444",
              "kubernetes-6445",
              "kubernetes-ipv6",
              "kubernetes-ipv6-6444",
              "kubernetes-ipv6-6445");
      simulation.kill(simulation.servers.get(1));
      simulation.run(Duration.ofSeconds(30));
      simulation.checkSettled(6443);
      simulation.stop(simulation.servers.getFirst());
      simulation.checkSettled(6445);
      assertThat(simulation.wrong).as("seed %d", seed).isEmpty();
      assertThat(simulation.world.slices().keySet())
          .containsExactlyInAnyOrder("kubernetes", "kubernetes-ipv6");
    }
  }

  @Test
  void theCheckerSeesAServerThatIsBlindForItsPeers() {
    var simulation = new Simulation(1);
    simulation.start("a", "192.0.2.1", 6443, RANGES, LEASE);
    var blind = simulation.start("b", "192.0.2.2", 6443, RANGES, LEASE);
    blind.eyes =
        view ->
            new EndpointsView(
                view.leases().stream().filter(entry -> entry.key().endsWith("/b")).toList(),
                List.of(),
                view.objects(),
                view.configMap(),
                view.config(),
                view.ranges());
    simulation.run(Duration.ofSeconds(20));
    simulation.quiet(Duration.ofSeconds(15));
    assertThat(simulation.wrong)
        .anyMatch(problem -> problem.contains("a living server was taken out: 192.0.2.1:6443 by"))
        .anyMatch(problem -> problem.contains("changed when all was settled"));
  }

  @Test
  void theCheckerSeesADeadServerThatStays() {
    var simulation = new Simulation(2);
    simulation.start("a", "192.0.2.1", 6443, RANGES, LEASE);
    var dead = simulation.start("b", "192.0.2.2,2001:db8::2", 6443, RANGES, LEASE);
    simulation.run(Duration.ofSeconds(15));
    var frozen = simulation.world.view().leases();
    simulation.kill(dead);
    simulation.servers.getFirst().eyes =
        view ->
            new EndpointsView(
                frozen,
                view.masterLeases(),
                view.objects(),
                view.configMap(),
                view.config(),
                view.ranges());
    simulation.run(Duration.ofSeconds(40));
    assertThat(simulation.wrong)
        .anyMatch(problem -> problem.contains("192.0.2.2:6443 is still published"))
        .anyMatch(problem -> problem.contains("dual-stack without a dual-stack server"));
  }
}
