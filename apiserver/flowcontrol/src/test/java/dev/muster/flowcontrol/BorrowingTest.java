package dev.muster.flowcontrol;

import static dev.muster.flowcontrol.TestFlows.SECOND;
import static dev.muster.flowcontrol.TestFlows.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.muster.flowcontrol.SeatAllocation.Claim;
import dev.muster.flowcontrol.TestFlows.TestRequest;
import dev.muster.flowcontrol.metrics.LevelCounts;
import dev.muster.model.User;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;

class BorrowingTest {
  private static Map<String, Integer> figures(
      PriorityLevels levels, long now, ToIntFunction<LevelCounts> figure) {
    var found = new TreeMap<String, Integer>();
    levels.counts(now).forEach(level -> found.put(level.name(), figure.applyAsInt(level)));
    return found;
  }

  @Test
  void sharesAreRoundedUpAndWhatIsLentIsTakenFromThem() {
    var levels = TestFlows.defaults(600);
    // 600 seats for 245 shares.
    assertThat(figures(levels, 0, LevelCounts::nominal))
        .containsEntry("catch-all", 13)
        .containsEntry("global-default", 49)
        .containsEntry("leader-election", 25)
        .containsEntry("node-high", 98)
        .containsEntry("system", 74)
        .containsEntry("workload-high", 98)
        .containsEntry("workload-low", 245)
        .containsEntry("exempt", 0);
    assertThat(figures(levels, 0, LevelCounts::least))
        .containsEntry("catch-all", 13)
        .containsEntry("global-default", 24)
        .containsEntry("leader-election", 25)
        .containsEntry("node-high", 73)
        .containsEntry("system", 50)
        .containsEntry("workload-high", 49)
        .containsEntry("workload-low", 24);
    assertThat(figures(levels, 0, LevelCounts::most)).containsEntry("workload-low", 845);
  }

  @Test
  void withoutAnyDemandEachLevelHasTheSameMultipleOfItsLeast() {
    // 602 seats for 258 that are needed at least: 2.3333 times.
    assertThat(figures(TestFlows.defaults(600), 0, LevelCounts::current))
        .containsEntry("catch-all", 30)
        .containsEntry("global-default", 56)
        .containsEntry("leader-election", 58)
        .containsEntry("node-high", 170)
        .containsEntry("system", 117)
        .containsEntry("workload-high", 114)
        .containsEntry("workload-low", 56);
  }

  @Test
  void aLevelThatCouldUseMoreBorrowsFromThoseThatDoNot() {
    var levels = TestFlows.defaults(600);
    var user = User.of("a", "system:serviceaccounts", User.ALL_AUTHENTICATED);
    var requests = new ArrayList<TestRequest>();
    for (int i = 0; i < 300; i++) {
      var attributes = request(user, "get", "", "pods", "n");
      requests.add(new TestRequest(levels, attributes, WorkEstimate.ONE));
      requests.getLast().start(0);
    }
    assertThat(requests.stream().filter(one -> one.letIn)).isEmpty();
    levels.adjust(10 * SECOND);
    // 300 wanted there and 234 elsewhere: 602 seats are 1.1273 times as many.
    assertThat(figures(levels, 10 * SECOND, LevelCounts::current))
        .containsEntry("workload-low", 338)
        .containsEntry("catch-all", 15)
        .containsEntry("global-default", 27)
        .containsEntry("leader-election", 28)
        .containsEntry("node-high", 82)
        .containsEntry("system", 56)
        .containsEntry("workload-high", 55);
    assertThat(levels.fairFraction()).isCloseTo(602 / 534.0, within(1e-9));
    assertThat(requests.stream().filter(one -> one.letIn)).hasSize(300 - 56);
  }

  @Test
  void demandIsSmoothedAndFallsSlowly() {
    var demand = new SeatDemand();
    demand.set(10);
    demand.advance(5 * SECOND);
    demand.set(20);
    demand.advance(5 * SECOND);
    // Half of the time 10 and half of it 20: 15 on average, 5 away from it.
    var first = demand.endPeriod();
    assertThat(first.peak()).isEqualTo(20);
    assertThat(first.average()).isCloseTo(15, within(1e-9));
    assertThat(first.deviation()).isCloseTo(5, within(1e-9));
    assertThat(first.smoothed()).isCloseTo(20, within(1e-9));
    demand.set(0);
    demand.advance(10 * SECOND);
    var second = demand.endPeriod();
    assertThat(second.peak()).isEqualTo(20);
    assertThat(second.smoothed()).isCloseTo(20 * 0.977, within(1e-9));
    demand.advance(10 * SECOND);
    assertThat(demand.endPeriod().peak()).isZero();
  }

  @Test
  void aLevelAtABoundLeavesTheRestToTheOthers() {
    // The first is held at 20, so the others share 80 as 1 to 3.
    var bound = SeatAllocation.of(100, claims(new Claim(100, 10, 20), claim(10), claim(30)));
    assertThat(bound.seats()).containsExactly(new double[] {20, 20, 60}, within(1e-9));
    assertThat(bound.fraction()).isCloseTo(2, within(1e-9));
    // The first keeps 60, so the others share 40 as 1 to 3.
    var kept = SeatAllocation.of(100, claims(new Claim(60, 60, 90), claim(40), claim(120)));
    assertThat(kept.seats()).containsExactly(new double[] {60, 10, 30}, within(1e-9));
  }

  private static List<Claim> claims(Claim... claims) {
    return List.of(claims);
  }

  private static Claim claim(double wanted) {
    return new Claim(wanted, 0, 1000);
  }

  @Test
  void boundsThatLeaveNoWayAreRefused() {
    assertThatThrownBy(() -> SeatAllocation.of(5, claims(new Claim(10, 10, 20))))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> SeatAllocation.of(50, claims(new Claim(10, 10, 20))))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(SeatAllocation.of(20, claims(new Claim(10, 10, 20))).seats()).containsExactly(20);
    assertThat(SeatAllocation.of(10, claims(new Claim(10, 10, 20))).seats()).containsExactly(10);
    assertThat(SeatAllocation.of(0, claims(claim(0), claim(0))).seats()).containsExactly(0, 0);
  }

  @Test
  void theExemptTakeWhatTheyUseBeforeAnybodyBorrows() {
    var levels = TestFlows.defaults(600);
    var master = request(User.of("root", User.MASTERS), "get", "", "pods", "n");
    for (int i = 0; i < 500; i++) {
      new TestRequest(levels, master, WorkEstimate.ONE).start(0);
    }
    levels.adjust(10 * SECOND);
    // 102 are left, fewer than the 258 that nobody lends.
    assertThat(figures(levels, 10 * SECOND, LevelCounts::current))
        .containsEntry("exempt", 500)
        .containsEntry("workload-low", 24)
        .containsEntry("node-high", 73);
  }
}
