package dev.muster.replica;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** No change is missed, and no more runs wait than one. */
@Tag("slow")
class CoalescedTaskTest {
  private static final int SCENARIOS = Integer.getInteger("muster.schedules", 6);

  /** Changes by any thread, and an event loop that sees them. */
  public static class Changes {
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    final CoalescedTask looking = new CoalescedTask(tasks::add, this::look);
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

    private void look() {
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
    modelCheck(Changes.class, SCENARIOS);
  }

  @Test
  void seededFaultIsFound() {
    assertThatThrownBy(() -> modelCheck(AskedTooEarly.class, 20))
        .isInstanceOf(LincheckAssertionError.class)
        .hasMessageContaining("missed: seen");
  }

  private static void modelCheck(Class<?> subject, int scenarios) {
    new ModelCheckingOptions()
        .iterations(scenarios)
        .invocationsPerIteration(200)
        .threads(2)
        .actorsPerThread(2)
        .actorsBefore(0)
        .actorsAfter(0)
        .minimizeFailedScenario(false)
        .addGuarantee(
            forClasses(ConcurrentLinkedQueue.class.getName()).allMethods().treatAsAtomic())
        .check(subject);
  }
}
