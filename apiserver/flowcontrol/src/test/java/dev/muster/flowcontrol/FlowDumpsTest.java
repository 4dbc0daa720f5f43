package dev.muster.flowcontrol;

import static dev.muster.flowcontrol.TestFlows.queues;
import static dev.muster.flowcontrol.TestFlows.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.flowcontrol.TestFlows.TestRequest;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The texts are laid out as kube-apiserver's, which scripts cut at commas. */
class FlowDumpsTest {
  private final PriorityLevels levels = TestFlows.single(1, queues("l", 1, 2, 1, 5));

  FlowDumpsTest() {
    TestRequest.of(levels, "ann").start(1_000_000_000L);
    new TestRequest(levels, request("bob"), new WorkEstimate(1, 2, 5_000_000))
        .start(1_500_000_000L);
  }

  @Test
  void levelsHaveALineEach() {
    assertThat(FlowDumps.levels(levels.dump(2_000_000_000L)))
        .isEqualTo(
            """
            PriorityLevelName, ActiveQueues, IsIdle, IsQuiescing, WaitingRequests, ExecutingRequests, DispatchedRequests, RejectedRequests, TimedoutRequests, CancelledRequests
            catch-all,         0,            true,   false,       0,               0,                 0,                  0,                0,                0
            exempt,            0,            true,   false,       0,               0,                 0,                  0,                0,                0
            l,                 1,            false,  false,       1,               1,                 1,                  0,                0,                0
            """);
  }

  @Test
  void queuesHaveALineEach() {
    var lines = FlowDumps.queues(levels.dump(2_000_000_000L)).lines().toList();
    assertThat(lines).hasSize(3);
    assertThat(lines.getFirst())
        .isEqualTo(
            "PriorityLevelName, Index,  PendingRequests, ExecutingRequests, SeatsInUse,"
                + " NextDispatchR, InitialSeatsSum, MaxSeatsSum, TotalWorkSum");
    assertThat(lines.get(1) + lines.get(2)).contains("0.01300000ss").contains("0.00300000ss");
  }

  @Test
  void requestsHaveALineEachWithWhoAndWhatOnDemand() {
    var brief =
        FlowDumps.requests(
            levels.dump(2_000_000_000L), nanos -> Instant.ofEpochSecond(0, nanos), false);
    assertThat(brief.lines().map(line -> line.replaceAll(", +", ",")))
        .hasSize(3)
        .anyMatch(
            line ->
                line.matches(
                    "l,all,[01],0,bob,1970-01-01T00:00:01.500Z,1,2,5ms,0001-01-01T00:00:00Z"))
        .anyMatch(
            line ->
                line.matches("l,all,[01],-1,ann,1970-01-01T00:00:01Z,1,0,0s,1970-01-01T00:00:01Z"));
    var detailed =
        FlowDumps.requests(
            levels.dump(2_000_000_000L), nanos -> Instant.ofEpochSecond(0, nanos), true);
    assertThat(detailed.lines().map(line -> line.replaceAll(", +", ",")))
        .anyMatch(
            line -> line.endsWith(",bob,get,/api/v1/namespaces/default/pods/a,default,a,v1,pods,"));
  }
}
