package dev.muster.types.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Places are few, and flows take turns at them. */
class FairSchedulerTest {
  private static final long SLICE = 10_000_000;

  private final AtomicLong time = new AtomicLong();
  private final FairScheduler scheduler = new FairScheduler(1, time::get);
  private final List<String> order = Collections.synchronizedList(new ArrayList<>());

  @AfterEach
  void close() {
    scheduler.close();
  }

  /** Keeps the only place until the latch is down. */
  private CountDownLatch occupy() {
    var latch = new CountDownLatch(1);
    scheduler.execute("occupier", () -> hold(latch));
    await().until(() -> scheduler.running() == 1);
    return latch;
  }

  private static void hold(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void note(String flow, String name) {
    scheduler.execute(flow, () -> order.add(name));
  }

  private void expect(String... names) {
    await().untilAsserted(() -> assertThat(order).containsExactly(names));
  }

  @Test
  void flowsTakeTurnsHoweverMuchOneOfThemWants() {
    var latch = occupy();
    for (int i = 1; i <= 5; i++) {
      note("a", "a" + i);
    }
    note("b", "b1");
    note("b", "b2");
    note("c", "c1");
    assertThat(scheduler.waiting()).isEqualTo(8);
    latch.countDown();
    expect("a1", "b1", "c1", "a2", "b2", "a3", "a4", "a5");
  }

  @Test
  void noMoreRunThanThereArePlaces() {
    try (var three = new FairScheduler(3, System::nanoTime)) {
      var running = new AtomicInteger();
      var most = new AtomicInteger();
      var done = new CountDownLatch(200);
      for (int i = 0; i < 200; i++) {
        three.execute(
            "flow" + i % 7,
            () -> {
              most.accumulateAndGet(running.incrementAndGet(), Math::max);
              Thread.onSpinWait();
              running.decrementAndGet();
              done.countDown();
            });
      }
      hold(done);
      assertThat(most.get()).isLessThanOrEqualTo(3);
      await().until(() -> three.running() == 0 && three.waiting() == 0);
    }
  }

  private static String waited(CompletableFuture<String> answer) throws Exception {
    try (var _ = CpuTask.waiting()) {
      return answer.get();
    }
  }

  @Test
  void whoWaitsForSomethingElseKeepsNoPlace() {
    var answer = new CompletableFuture<String>();
    scheduler.execute(
        "a",
        () -> {
          try {
            order.add("a before " + CpuTask.isInPlace());
            order.add(waited(answer) + " " + CpuTask.isInPlace());
          } catch (Exception e) {
            order.add(e.toString());
          }
        });
    note("b", "b");
    expect("a before true", "b");
    answer.complete("a after");
    expect("a before true", "b", "a after true");
    await().until(() -> scheduler.running() == 0);
  }

  @Test
  void whoGoesOnForLongLetsOthersHaveTheirTurnAndGoesOnBeforeWhatItsFlowHasNotBegun() {
    var latch = occupy();
    scheduler.execute(
        "a",
        () -> {
          order.add("a1 begins");
          CpuTask.checkpoint();
          order.add("a1 goes on");
          time.addAndGet(SLICE);
          CpuTask.checkpoint();
          order.add("a1 ends");
        });
    note("a", "a2");
    note("b", "b");
    latch.countDown();
    expect("a1 begins", "a1 goes on", "b", "a1 ends", "a2");
  }

  @Test
  void shortWorkRunsAtOnceAndNeedsAPlaceOnlyWhenItIsLong() throws Exception {
    var latch = occupy();
    var caller =
        Thread.ofVirtual()
            .start(
                () ->
                    scheduler.run(
                        "a",
                        () -> {
                          CpuTask.checkpoint();
                          order.add("short " + CpuTask.isInPlace());
                          time.addAndGet(SLICE);
                          CpuTask.checkpoint();
                          order.add("long " + CpuTask.isInPlace());
                        },
                        WaitListener.NONE));
    await().until(() -> scheduler.waiting() == 1);
    expect("short false");
    latch.countDown();
    caller.join();
    expect("short false", "long true");
    await().until(() -> scheduler.running() == 0);
  }

  @Test
  void aTaskThatFailsGivesItsPlaceBack() {
    scheduler.execute(
        "a",
        () -> {
          throw new IllegalStateException("on purpose");
        });
    note("a", "next");
    expect("next");
  }

  @Test
  void tasksRunOnThreadsOfTheOperatingSystem() {
    scheduler.execute(
        "a",
        () ->
            order.add(Thread.currentThread().isVirtual() + " " + Thread.currentThread().getName()));
    expect("false cpu-0");
  }
}
