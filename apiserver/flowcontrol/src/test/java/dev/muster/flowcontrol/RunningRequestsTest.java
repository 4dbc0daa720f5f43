package dev.muster.flowcontrol;

import static dev.muster.flowcontrol.SeatRequest.State.EXECUTING;
import static dev.muster.flowcontrol.SeatRequest.State.REFUSED;
import static dev.muster.flowcontrol.SeatRequest.State.WAITING;
import static dev.muster.flowcontrol.TestFlows.queues;
import static dev.muster.flowcontrol.TestFlows.rejects;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.flowcontrol.TestFlows.TestRequest;
import dev.muster.flowcontrol.metrics.LevelCounts;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** More requests than the cores have use for wait in their queues, even when there are seats. */
class RunningRequestsTest {
  private static final int MICROSECOND = 1_000;

  private static final int HAND = 6;
  private static final int LENGTH = 50;

  private PriorityLevels levels = TestFlows.single(600, 2, queues("l", 1, 64, HAND, LENGTH));

  private TestRequest start(String user, long now) {
    var request = TestRequest.of(levels, user);
    request.start(now);
    return request;
  }

  private static List<TestRequest> running(List<TestRequest> requests) {
    return requests.stream().filter(one -> one.state == EXECUTING).toList();
  }

  @Test
  void whoSendsMostDoesNotMakeOthersWaitForAllOfIt() {
    var loud = new ArrayList<TestRequest>();
    for (int i = 0; i < 100; i++) {
      loud.add(start("loud", i));
    }
    assertThat(running(loud)).hasSize(2);
    long now = 100;
    for (int i = 0; i < 50; i++) {
      var modest = start("modest", now);
      int passed = 0;
      while (modest.state == WAITING) {
        now += 100 * MICROSECOND;
        running(loud).getFirst().finish(now);
        passed++;
      }
      assertThat(passed).as("answered before the modest one began").isLessThanOrEqualTo(HAND);
      now += 100 * MICROSECOND;
      modest.finish(now);
      loud.removeIf(one -> one.state == SeatRequest.State.DONE);
      while (loud.size() < 100) {
        loud.add(start("loud", now));
      }
    }
  }

  @Test
  void whoWaitsForSomethingElseLetsOthersRunAndKeepsItsSeat() {
    levels = TestFlows.single(600, 2, queues("l", 1, 1, 1, LENGTH));
    var first = start("ann", 0);
    start("ann", 0);
    var third = start("ann", 0);
    var fourth = start("ann", 0);
    assertThat(third.state).isEqualTo(WAITING);
    first.pause(1);
    first.pause(2);
    assertThat(third.letIn).isTrue();
    assertThat(fourth.letIn).isFalse();
    first.resume(3);
    third.finish(4);
    assertThat(fourth.letIn).as("the first is back").isFalse();
    first.finish(5);
    assertThat(fourth.letIn).isTrue();
  }

  @Test
  void whoIsAnsweredDoesNotComeBack() {
    var first = start("ann", 0);
    first.pause(1);
    first.finish(2);
    first.resume(3);
    start("ann", 4);
    assertThat(start("ann", 5).state).isEqualTo(EXECUTING);
  }

  @Test
  void whoRunsForVeryLongStopsNobody() {
    start("ann", 0);
    start("ann", 0);
    var waits = start("bob", 1);
    assertThat(waits.state).isEqualTo(WAITING);
    assertThat(start("cid", RunningRequests.LONGEST_NANOS + 1).state).isNotEqualTo(REFUSED);
    assertThat(waits.letIn).isTrue();
  }

  @Test
  void whoRunsForVeryLongStopsNobodyEvenWhenNobodyElseComes() {
    start("ann", 0);
    start("ann", 0);
    var waits = start("bob", 1);
    levels.passOverdue(RunningRequests.LONGEST_NANOS);
    assertThat(waits.letIn).isFalse();
    levels.passOverdue(RunningRequests.LONGEST_NANOS + 1);
    assertThat(waits.letIn).isTrue();
  }

  @Test
  void asManyMayWaitAsIfAllHadTheirSeats() {
    int seats = levels.counts(0).stream().mapToInt(LevelCounts::current).max().orElseThrow();
    int taken = 0;
    while (start("loud", taken).state != REFUSED) {
      taken++;
    }
    assertThat(taken).isBetween(seats + HAND * LENGTH, seats + HAND * (LENGTH + 1));
  }

  @Test
  void aLevelWithoutQueuesSendsNobodyAwayForTheCpu() {
    var rejecting = TestFlows.single(3, 1, rejects("l", 1));
    for (int i = 0; i < 3; i++) {
      assertThat(TestRequest.of(rejecting, "ann").start(0)).isEqualTo(EXECUTING);
    }
  }
}
