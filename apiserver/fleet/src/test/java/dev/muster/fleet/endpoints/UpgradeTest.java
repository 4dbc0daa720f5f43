package dev.muster.fleet.endpoints;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.fleet.endpoints.form.AddressFamily;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Fleets that are upgraded to dual-stack and back, in every order, with restarts and unclean exits
 * in between (KEP-2438, upgrade and downgrade strategy).
 */
class UpgradeTest {
  private static final String BOTH = "10.0.0.0/24,fd00::/112";
  private static final String FOUR = "10.0.0.0/24";
  private static final EndpointOptions LEASE = EndpointOptions.defaults();

  /** The behaviours of the document's mixed fleet. */
  private enum Role {
    /** A kube-apiserver that knows nothing of it. */
    OLD,
    /** Dual-stack ranges, the feature off. */
    HALF_NEW,
    /** The new code with a single-stack configuration. */
    SINGLE_STACK,
    NEW
  }

  /** One machine with its addresses and what runs on it. */
  private static final class Machine {
    private final Simulation simulation;
    private final int number;
    private int starts;
    private @Nullable SimServer server;
    private @Nullable OldServer old;
    private @Nullable Role role;

    Machine(Simulation simulation, int number) {
      this.simulation = simulation;
      this.number = number;
    }

    void start(Role wanted) {
      role = wanted;
      var four = "192.0.2." + number;
      var six = "2001:db8::" + number;
      var name = "m" + number + "-" + ++starts;
      switch (wanted) {
        case OLD -> old = simulation.startOld(four, 6443);
        case HALF_NEW -> server = simulation.start(name, four, 6443, BOTH, LEASE);
        case SINGLE_STACK -> server = simulation.start(name, four, 6443, FOUR, LEASE);
        case NEW -> server = simulation.start(name, four + "," + six, 6443, BOTH, LEASE);
      }
    }

    void end(boolean clean) {
      var mine = server;
      if (mine != null) {
        if (clean) {
          simulation.stop(mine);
        } else {
          simulation.kill(mine);
        }
      }
      var before = old;
      if (before != null) {
        if (clean) {
          simulation.stop(before);
        } else {
          simulation.kill(before);
        }
      }
      server = null;
      old = null;
    }

    /** Whether it leaves traces that only one of ours could remove. */
    boolean isOld() {
      return role == Role.OLD;
    }
  }

  private static List<Machine> fleet(Simulation simulation, Role role) {
    var machines = new ArrayList<Machine>();
    for (int i = 1; i <= 3; i++) {
      var machine = new Machine(simulation, i);
      machine.start(role);
      machines.add(machine);
    }
    simulation.run(Duration.ofSeconds(25));
    return machines;
  }

  /** Rolls a fleet from one behaviour to another, with reboots of some before their turn. */
  private static void roll(Simulation simulation, List<Machine> machines, Role from, Role to) {
    var order = new ArrayList<>(machines);
    Collections.shuffle(order, simulation.random);
    for (int i = 0; i < order.size(); i++) {
      if (i > 0 && simulation.random.nextInt(3) == 0) {
        var rebooting = order.get(i);
        rebooting.end(simulation.random.nextBoolean());
        pause(simulation, 20_000);
        rebooting.start(from);
        pause(simulation, 15_000);
      }
      order.get(i).end(simulation.random.nextBoolean());
      pause(simulation, 20_000);
      order.get(i).start(to);
      pause(simulation, 30_000);
    }
    simulation.run(Duration.ofSeconds(40));
  }

  private static void pause(Simulation simulation, int most) {
    simulation.run(Duration.ofMillis(simulation.random.nextInt(most)));
  }

  private static boolean settledByOurs(List<Machine> machines) {
    return machines.stream().anyMatch(machine -> !machine.isOld());
  }

  @Test
  void everyUpgradeAndDowngradeKeepsEndpointsTrue() {
    for (var from : Role.values()) {
      for (var to : Role.values()) {
        for (int seed = 0; seed < Simulation.seeds(25); seed++) {
          var simulation = new Simulation(seed * 31L + (from + " " + to).hashCode());
          simulation.grace = Duration.ofSeconds(35);
          var machines = fleet(simulation, from);
          roll(simulation, machines, from, to);
          if (settledByOurs(machines)) {
            simulation.quiet(Duration.ofSeconds(30));
            simulation.checkSettled(6443);
          }
          roll(simulation, machines, to, from);
          if (settledByOurs(machines)) {
            simulation.quiet(Duration.ofMinutes(1));
            simulation.checkSettled(6443);
          }
          assertThat(simulation.wrong).as("%s to %s, seed %d", from, to, seed).isEmpty();
        }
      }
    }
  }

  @Test
  void mixedFleetsInRandomOrder() {
    for (int seed = 0; seed < Simulation.seeds(200); seed++) {
      var simulation = new Simulation(seed);
      simulation.grace = Duration.ofSeconds(35);
      var random = new Random(seed);
      var machines = fleet(simulation, List.of(Role.values()).get(random.nextInt(4)));
      for (int i = 0; i < 8; i++) {
        var machine = machines.get(random.nextInt(3));
        machine.end(random.nextBoolean());
        pause(simulation, 25_000);
        machine.start(List.of(Role.values()).get(random.nextInt(4)));
        pause(simulation, 25_000);
      }
      simulation.run(Duration.ofSeconds(40));
      if (settledByOurs(machines)) {
        simulation.quiet(Duration.ofMinutes(2));
        simulation.checkSettled(6443);
      }
      assertThat(simulation.wrong).as("seed %d", seed).isEmpty();
    }
  }

  @Test
  void anOldServerThatStartsAndEndsDoesNotLeaveASingleStackService() {
    var simulation = new Simulation(1);
    fleet(simulation, Role.NEW);
    var spurious = new Machine(simulation, 9);
    spurious.start(Role.OLD);
    simulation.run(Duration.ofSeconds(2));
    spurious.end(true);
    simulation.run(Duration.ofSeconds(12));
    simulation.checkSettled(6443);
    assertThat(simulation.wrong).isEmpty();
  }

  @Test
  void aFleetWhosePrimaryFamilyIsSixWorksTheSameWay() {
    var simulation = new Simulation(3);
    for (int i = 1; i <= 3; i++) {
      simulation.start(
          "s" + i, "2001:db8::" + i + ",192.0.2." + i, 6443, "fd00::/112,10.0.0.0/24", LEASE);
    }
    simulation.run(Duration.ofSeconds(20));
    simulation.checkSettled(6443);
    assertThat(simulation.world.clusterIps().strings()).containsExactly("fd00::1", "10.0.0.1");
    assertThat(simulation.world.published()).allMatch(text -> text.startsWith("[2001:db8::"));
    assertThat(simulation.world.slices().keySet())
        .containsExactlyInAnyOrder("kubernetes", "kubernetes-ipv4");
    for (var server : List.copyOf(simulation.servers)) {
      simulation.stop(server);
    }
    assertThat(simulation.world.slices().keySet()).containsExactly("kubernetes");
    assertThat(simulation.world.sliced(AddressFamily.IPV6)).isEmpty();
    assertThat(simulation.wrong).isEmpty();
  }
}
