package dev.muster.controllers.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class WorkQueueTest {
  private final List<String> worked = new CopyOnWriteArrayList<>();
  private final CountDownLatch gate = new CountDownLatch(1);

  @Test
  void aKeyThatWaitsIsWorkedOnOnce() {
    try (var queue = queue(1, this::afterGate)) {
      queue.add("first");
      await().until(() -> worked.contains("first"));
      queue.add("second");
      queue.add("second");
      queue.add("third");
      gate.countDown();
      await().until(() -> worked.size() == 3);
      assertThat(worked).containsExactly("first", "second", "third");
    }
    assertThat(worked).hasSize(3);
  }

  @Test
  void aKeyAddedDuringItsTurnGetsAnotherAndNeverTwoAtOnce() {
    var atOnce = new AtomicInteger();
    var most = new AtomicInteger();
    try (var queue =
        queue(
            4,
            key -> {
              most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
              boolean finished = afterGate(key);
              atOnce.decrementAndGet();
              return finished;
            })) {
      queue.add("key");
      await().until(() -> worked.size() == 1);
      queue.add("key");
      gate.countDown();
      await().until(() -> worked.size() == 2);
    }
    assertThat(most).hasValue(1);
  }

  @Test
  void workThatFailsIsTriedAgainUntilItSucceeds() {
    try (var queue =
        queue(
            1,
            key -> {
              worked.add(key);
              if (worked.size() == 1) {
                throw new IllegalStateException("the first try fails");
              }
              return worked.size() == 3;
            })) {
      queue.add("key");
      await().until(() -> worked.size() == 3);
      queue.add("last");
      await().until(() -> worked.contains("last"));
      assertThat(worked).startsWith("key", "key", "key");
    }
  }

  @Test
  void ofSeveralDelaysTheEarliestCounts() {
    try (var queue = queue(1, worked::add)) {
      queue.addAfter("key", Duration.ofHours(1));
      queue.addAfter("key", Duration.ofMillis(1));
      queue.addAfter("key", Duration.ofHours(2));
      await().until(() -> worked.size() == 1);
    }
    assertThat(worked).containsExactly("key");
  }

  @Test
  void closingInterruptsTheWork() {
    var queue = queue(1, this::afterGate);
    queue.add("stuck");
    await().until(() -> worked.contains("stuck"));
    queue.close();
    queue.add("late");
    assertThat(worked).containsExactly("stuck");
  }

  private WorkQueue<String> queue(int parallel, Predicate<String> work) {
    return new WorkQueue<>("test", parallel, Duration.ofMillis(20), work::test);
  }

  private boolean afterGate(String key) {
    worked.add(key);
    try {
      gate.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return true;
  }
}
