package dev.muster.multicluster.membership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.multicluster.rules.ClusterIdRules;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Clusters that join, leave, move, are renamed, crash and lose their hub, in any order. */
class MembershipSimulationTest {
  private static final MembershipRules RULES = new MembershipRules(new ClusterIdRules(false));
  private static final List<String> SETS = List.of("prod", "test");
  private static final List<String> HUBS = List.of("hub-1", "hub-2");

  @Test
  void noPromiseIsBrokenAndAllComesToRest() {
    int memberships = 0;
    for (long seed = 0; seed < 300; seed++) {
      memberships += run(seed, 600);
    }
    assertThat(memberships).as("runs that end with members").isGreaterThan(100);
  }

  private static int run(long seed, int events) {
    var random = new Random(seed);
    var fleet = new SimulatedFleet(random, RULES, 5);
    var checker = new FleetChecker();
    for (int i = 0; i < events; i++) {
      happen(fleet, random);
      assertThat(checker.broken(fleet)).as("seed %d, event %d", seed, i).isEmpty();
    }
    fleet.trouble = 0;
    fleet.clusters.forEach(cluster -> cluster.partitioned = false);
    fleet.clusters.forEach(SimulatedFleet.Cluster::identify);
    for (int i = 0; i < 30; i++) {
      for (var cluster : fleet.clusters) {
        fleet.step(cluster);
        assertThat(checker.broken(fleet)).as("seed %d, settling", seed).isEmpty();
      }
    }
    assertThat(FleetChecker.unsettled(fleet)).as("seed %d", seed).isEmpty();
    return fleet.clusters.stream().anyMatch(cluster -> cluster.mirror.isPresent()) ? 1 : 0;
  }

  private static void happen(SimulatedFleet fleet, Random random) {
    var cluster = fleet.clusters.get(random.nextInt(fleet.clusters.size()));
    switch (random.nextInt(14)) {
      case 0 ->
          cluster.wanted =
              Optional.of(
                  new MembershipState.Target(
                      SETS.get(random.nextInt(SETS.size())),
                      HUBS.get(random.nextInt(HUBS.size()))));
      case 1 -> cluster.wanted = Optional.empty();
      case 2 -> cluster.rename("id-" + random.nextInt(4));
      case 3 -> cluster.partitioned = random.nextInt(3) == 0;
      case 4 -> cluster.loseProperties();
      case 5 -> cluster.identify();
      default -> fleet.step(cluster);
    }
  }

  /** Both properties go with their definition; the hub still holds the claim. */
  @Test
  void aMemberThatLosesItsPropertiesGetsThemBack() {
    var fleet = new SimulatedFleet(new Random(1), RULES, 1);
    fleet.trouble = 0;
    var cluster = fleet.clusters.getFirst();
    cluster.id = Optional.of("chosen-by-hand");
    cluster.wanted = Optional.of(new MembershipState.Target("prod", "hub-1"));
    settle(fleet, cluster);
    var claims = Map.copyOf(fleet.hubNamed("hub-1").claims);
    assertThat(claims).hasSize(1);
    cluster.loseProperties();
    for (int i = 0; i < 5; i++) {
      fleet.step(cluster);
      assertThat(fleet.hubNamed("hub-1").claims).isEqualTo(claims);
    }
    assertThat(cluster.id).contains("chosen-by-hand");
    assertThat(cluster.mirror).contains("prod");
  }

  /** The Secret, or the operator's kubeconfig, leads to another hub with a set of that name. */
  @Test
  void anotherHubBehindTheSameNameIsRefusedAndNothingChanges() {
    var fleet = new SimulatedFleet(new Random(1), RULES, 1);
    fleet.trouble = 0;
    var cluster = fleet.clusters.getFirst();
    cluster.wanted = Optional.of(new MembershipState.Target("prod", "hub-1"));
    settle(fleet, cluster);
    var id = cluster.id;
    var first = fleet.hubs.put("hub-1", new SimulatedFleet.SimulatedHub("of-another"));
    assertThat(first).isNotNull();
    for (var wanted : List.of(cluster.wanted, Optional.<MembershipState.Target>empty())) {
      cluster.wanted = wanted;
      assertThat(fleet.run(cluster))
          .isInstanceOfSatisfying(
              MembershipStep.Refuse.class,
              refuse ->
                  assertThat(refuse.sentence())
                      .contains("is in the hub https://hub-1 (UID uid-of-hub-1)")
                      .contains("(UID of-another)"));
      assertThat(cluster.mirror).contains("prod");
      assertThat(cluster.id).isEqualTo(id);
      assertThat(first.claims).hasSize(1);
      assertThat(fleet.hubNamed("hub-1").claims).isEmpty();
    }
  }

  private static void settle(SimulatedFleet fleet, SimulatedFleet.Cluster cluster) {
    assertThat(fleet.run(cluster)).isInstanceOf(MembershipStep.Done.class);
  }

  /** A checker that lets everything pass proves nothing. */
  @Test
  void theCheckerSeesEachBrokenPromise() {
    var fleet = new SimulatedFleet(new Random(1), RULES, 2);
    var one = fleet.clusters.get(0);
    var other = fleet.clusters.get(1);
    one.id = Optional.of("same");
    one.mirror = Optional.of("prod");
    one.recorded = Optional.of(new Claim("prod", "same", "hub-1"));
    var checker = new FleetChecker();
    assertThat(checker.broken(fleet)).isEmpty();
    other.id = one.id;
    other.mirror = one.mirror;
    other.recorded = one.recorded;
    assertThat(checker.broken(fleet)).anyMatch(line -> line.contains("are both"));
    other.mirror = Optional.empty();
    one.id = Optional.of("changed");
    assertThat(checker.broken(fleet)).anyMatch(line -> line.contains("without a leave"));
    one.id = Optional.empty();
    assertThat(checker.broken(fleet)).anyMatch(line -> line.contains("without an ID"));
    one.recorded = Optional.empty();
    assertThat(checker.broken(fleet)).anyMatch(line -> line.contains("not written down"));
    one.mirror = Optional.empty();
    for (var hub : HUBS) {
      fleet
          .hubNamed(hub)
          .claims
          .put(
              new SimulatedFleet.Key("prod", "same"),
              new SimulatedFleet.Held(one.uid, Phase.JOINED));
    }
    assertThat(checker.broken(fleet)).anyMatch(line -> line.contains("in two sets"));
    assertThat(FleetChecker.unsettled(fleet)).anyMatch(line -> line.contains("should have []"));
  }

  /** Steps in a wrong order are found by chance alone. */
  @Test
  void theCheckerSeesAnIdThatIsReleasedTooEarly() {
    boolean seen = false;
    for (long seed = 0; seed < 300 && !seen; seed++) {
      var random = new Random(seed);
      var fleet = new SimulatedFleet(random, RULES, 5);
      var checker = new FleetChecker();
      for (int i = 0; i < 600 && !seen; i++) {
        happen(fleet, random);
        if (random.nextInt(20) == 0) {
          fleet.hubs.values().forEach(hub -> hub.claims.values().removeIf(held -> true));
        }
        seen = !checker.broken(fleet).isEmpty();
      }
    }
    assertThat(seen).isTrue();
  }
}
