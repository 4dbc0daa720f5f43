package dev.muster.replica;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.testing.ModelCheck;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** No change is missed, and no more runs wait than one. */
@Tag("slow")
class CoalescedTaskTest {
  /** Changes by any thread, and an event loop that sees them. */
  public static class Changes {
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    final CoalescedTask looking = new CoalescedTask(tasks::add, this::check);
    final AtomicInteger now = new AtomicInteger();
    private volatile int seen;

    @Operation
    public void change() {
      now.incrementAndGet();
      looking.ask();
    }

    @Operation(nonParallelGroup = "loop")
    public void loop() {
      var task = tasks.poll();
      if (task != null) {
        task.run();
      }
    }

    private void check() {
      seen = now.get();
    }

    @Validate
    public void everythingIsSeenInOneRun() {
      loop();
      if (seen != now.get() || !tasks.isEmpty()) {
        throw new IllegalStateException("missed: seen " + seen + " of " + now);
      }
    }
  }

  /** The same with a fault: asks before it changes something. */
  public static class AskedTooEarly extends Changes {
    @Override
    public void change() {
      looking.ask();
      now.incrementAndGet();
    }
  }

  @Test
  void everyChangeIsSeen() {
    ModelCheck.ofScenarios(0, 0).check(Changes.class);
  }

  @Test
  void seededFaultIsFound() {
    assertThatThrownBy(() -> ModelCheck.ofScenarios(0, 0).forFault().check(AskedTooEarly.class))
        .isInstanceOf(LincheckAssertionError.class)
        .hasMessageContaining("missed: seen");
  }
}
