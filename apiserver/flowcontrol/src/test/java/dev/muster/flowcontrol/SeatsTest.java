package dev.muster.flowcontrol;

import static dev.muster.flowcontrol.SeatRequest.State.EXECUTING;
import static dev.muster.flowcontrol.SeatRequest.State.REFUSED;
import static dev.muster.flowcontrol.SeatRequest.State.WAITING;
import static dev.muster.flowcontrol.TestFlows.SECOND;
import static dev.muster.flowcontrol.TestFlows.queues;
import static dev.muster.flowcontrol.TestFlows.rejects;
import static dev.muster.flowcontrol.TestFlows.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.flowcontrol.TestFlows.TestRequest;
import dev.muster.flowcontrol.config.PriorityLevelSpec;
import dev.muster.flowcontrol.metrics.FlowCounts;
import dev.muster.flowcontrol.metrics.FlowRefusal;
import dev.muster.model.User;
import java.util.List;
import org.junit.jupiter.api.Test;

class SeatsTest {
  private static LevelDump level(PriorityLevels levels, String name) {
    return levels.dump(0).stream().filter(one -> one.name().equals(name)).findFirst().orElseThrow();
  }

  private static FlowCounts counts(PriorityLevels levels) {
    return levels.counts(0).stream()
        .filter(one -> one.name().equals("l"))
        .findFirst()
        .orElseThrow()
        .flows()
        .getFirst();
  }

  @Test
  void aLevelThatRejectsSendsAwayWhoFindsNoSeat() {
    var levels = TestFlows.single(2, rejects("l", 1));
    var first = TestRequest.of(levels, "ann");
    assertThat(first.start(0)).isEqualTo(EXECUTING);
    assertThat(TestRequest.of(levels, "ann").start(0)).isEqualTo(EXECUTING);
    assertThat(TestRequest.of(levels, "bob").start(0)).isEqualTo(REFUSED);
    assertThat(counts(levels).refused()).containsEntry(FlowRefusal.CONCURRENCY_LIMIT, 1L);
    first.finish(SECOND);
    assertThat(TestRequest.of(levels, "bob").start(SECOND)).isEqualTo(EXECUTING);
  }

  @Test
  void whoFindsNoSeatWaitsAndWhoFindsTheQueueFullIsSentAway() {
    var levels = TestFlows.single(1, queues("l", 1, 1, 1, 2));
    var runs = TestRequest.of(levels, "ann");
    var waits = TestRequest.of(levels, "ann");
    assertThat(runs.start(0)).isEqualTo(EXECUTING);
    assertThat(waits.start(0)).isEqualTo(WAITING);
    assertThat(TestRequest.of(levels, "ann").start(0)).isEqualTo(WAITING);
    assertThat(TestRequest.of(levels, "ann").start(0)).isEqualTo(REFUSED);
    assertThat(counts(levels).refused()).containsEntry(FlowRefusal.QUEUE_FULL, 1L);
    assertThat(waits.letIn).isFalse();
    runs.finish(SECOND);
    assertThat(waits.letIn).isTrue();
    assertThat(level(levels, "l").waiting()).isEqualTo(1);
    assertThat(level(levels, "l").executing()).isEqualTo(1);
  }

  @Test
  void whoGivesUpFreesItsPlaceInTheQueue() {
    var levels = TestFlows.single(1, queues("l", 1, 1, 1, 2));
    var runs = TestRequest.of(levels, "ann");
    runs.start(0);
    var late = TestRequest.of(levels, "ann");
    var gone = TestRequest.of(levels, "ann");
    late.start(0);
    gone.start(0);
    assertThat(late.cancel(FlowRefusal.TIME_OUT, SECOND)).isTrue();
    assertThat(gone.cancel(FlowRefusal.CANCELLED, SECOND)).isTrue();
    assertThat(gone.cancel(FlowRefusal.CANCELLED, SECOND)).isFalse();
    assertThat(level(levels, "l").timedOut()).isEqualTo(1);
    assertThat(level(levels, "l").cancelled()).isEqualTo(1);
    assertThat(counts(levels).refused())
        .containsEntry(FlowRefusal.TIME_OUT, 1L)
        .containsEntry(FlowRefusal.CANCELLED, 1L);
    var next = TestRequest.of(levels, "ann");
    assertThat(next.start(SECOND)).isEqualTo(WAITING);
    runs.finish(2 * SECOND);
    assertThat(next.letIn).isTrue();
    assertThat(late.letIn).isFalse();
    assertThat(gone.letIn).isFalse();
    assertThat(next.cancel(FlowRefusal.TIME_OUT, 3 * SECOND)).isFalse();
  }

  @Test
  void aSecondEndOfTheSameRequestFreesNothing() {
    var levels = TestFlows.single(1, queues("l", 1, 1, 1, 5));
    var first = TestRequest.of(levels, "ann");
    first.start(0);
    var second = TestRequest.of(levels, "ann");
    var third = TestRequest.of(levels, "ann");
    second.start(0);
    third.start(0);
    first.finish(SECOND);
    first.finish(SECOND);
    assertThat(second.letIn).isTrue();
    assertThat(third.letIn).isFalse();
  }

  @Test
  void aWideRequestWaitsUntilThereAreEnoughSeatsAndNobodyPassesIt() {
    var levels = TestFlows.single(4, queues("l", 1, 1, 1, 5));
    var narrow = TestRequest.of(levels, "ann");
    narrow.start(0);
    var wide = new TestRequest(levels, request("ann"), WorkEstimate.wide(4));
    assertThat(wide.start(0)).isEqualTo(WAITING);
    var behind = TestRequest.of(levels, "ann");
    assertThat(behind.start(0)).isEqualTo(WAITING);
    narrow.finish(SECOND);
    assertThat(wide.letIn).isTrue();
    assertThat(behind.letIn).isFalse();
    wide.finish(2 * SECOND);
    assertThat(behind.letIn).isTrue();
  }

  @Test
  void aRequestWiderThanTheLevelRunsAlone() {
    var levels = TestFlows.single(2, queues("l", 1, 1, 1, 5));
    var wide = new TestRequest(levels, request("ann"), WorkEstimate.wide(9));
    assertThat(wide.start(0)).isEqualTo(EXECUTING);
    assertThat(TestRequest.of(levels, "bob").start(0)).isEqualTo(WAITING);
  }

  @Test
  void whatFollowsFromAWriteKeepsItsSeatsAfterTheAnswer() {
    var levels = TestFlows.single(2, queues("l", 1, 1, 1, 5));
    var write = new TestRequest(levels, request("ann"), new WorkEstimate(1, 2, 5_000_000));
    write.start(0);
    assertThat(write.finish(SECOND)).isEqualTo(5_000_000);
    var next = TestRequest.of(levels, "ann");
    assertThat(next.start(SECOND)).isEqualTo(WAITING);
    write.release(SECOND + 5_000_000);
    assertThat(next.letIn).isTrue();
  }

  @Test
  void whoIsExemptNeverWaits() {
    var levels = TestFlows.defaults(1);
    var master = request(User.of("root", User.MASTERS), "list", "", "pods", "");
    for (int i = 0; i < 1000; i++) {
      var one = new TestRequest(levels, master, WorkEstimate.wide(10));
      assertThat(one.start(i)).isEqualTo(EXECUTING);
    }
    assertThat(level(levels, "exempt").executing()).isEqualTo(1000);
  }

  @Test
  void aLevelThatIsGoneStaysUntilItsRequestsAreAnswered() {
    var levels = TestFlows.single(1, queues("l", 1, 1, 1, 5));
    var runs = TestRequest.of(levels, "ann");
    var waits = TestRequest.of(levels, "ann");
    runs.start(0);
    waits.start(0);
    levels.configure(List.of(), List.of(), 1);
    assertThat(level(levels, "l").quiescing()).isTrue();
    assertThat(TestRequest.of(levels, "ann").flow().level().spec().name()).isEqualTo("catch-all");
    runs.finish(2);
    assertThat(waits.letIn).isTrue();
    waits.finish(3);
    levels.adjust(4);
    assertThat(levels.dump(5)).extracting(LevelDump::name).containsExactly("catch-all", "exempt");
  }

  @Test
  void whoWaitsIsLetInWhenALevelGetsMoreSeats() {
    var levels = TestFlows.single(1, queues("l", 1, 4, 1, 5));
    TestRequest.of(levels, "ann").start(0);
    var waits = TestRequest.of(levels, "ann");
    waits.start(0);
    levels.configure(
        List.of(TestFlows.everything("all", 100, "l")),
        List.of(
            new PriorityLevelSpec(
                "l", "", false, 1, 0, 100, new PriorityLevelSpec.Queuing(1, 1, 5)),
            new PriorityLevelSpec("catch-all", "", false, 0, 0, 0, null),
            new PriorityLevelSpec("lends", "", false, 1, 100, 0, null)),
        1);
    levels.adjust(10 * SECOND);
    assertThat(waits.letIn).isTrue();
  }
}
