package dev.muster.http.limits;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.testing.ModelCheck;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Nobody waits while there is room, and no more is taken than there is. */
@Tag("slow")
class OutgoingConcurrencyTest {
  private static final int LIMIT = 3;
  private static final int PART = 2;

  /** Parts that are made and sent; there is room for one, or for three that are urgent. */
  public static class Sending {
    private final OutgoingBudget budget = new OutgoingBudget(LIMIT);
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger urgent = new AtomicInteger();
    private final AtomicInteger made = new AtomicInteger();

    @Operation
    public void make() {
      waiting.incrementAndGet();
      reserve(false, () -> made(waiting));
    }

    @Operation
    public void makeUrgently() {
      urgent.incrementAndGet();
      reserve(true, () -> made(urgent));
    }

    private void made(AtomicInteger line) {
      line.decrementAndGet();
      made.incrementAndGet();
    }

    @Operation
    public void send() {
      if (made.getAndUpdate(parts -> Math.max(0, parts - 1)) > 0) {
        giveBack();
      }
    }

    void reserve(boolean isUrgent, Runnable then) {
      budget.reserve(PART, isUrgent, Runnable::run, then);
    }

    void giveBack() {
      budget.add(-PART);
    }

    long taken() {
      return budget.taken();
    }

    @Validate
    public void nobodyWaitsWhileThereIsRoom() {
      long taken = taken();
      if (taken != made.get() * PART || taken > 2 * LIMIT) {
        throw new IllegalStateException(taken + " taken for " + made + " parts");
      }
      if ((waiting.get() > 0 && taken + PART <= LIMIT)
          || (urgent.get() > 0 && taken + PART <= 2 * LIMIT)) {
        throw new IllegalStateException("left waiting, with " + taken + " taken");
      }
    }
  }

  /** The same with a fault: who has found no room gets in line, and does not look once more. */
  public static class LookedOnce extends Sending {
    private final AtomicLong taken = new AtomicLong();
    private final Queue<Runnable> line = new ConcurrentLinkedQueue<>();

    @Override
    public void makeUrgently() {
      make();
    }

    @Override
    void reserve(boolean isUrgent, Runnable then) {
      if (take()) {
        then.run();
      } else {
        line.add(then);
      }
    }

    private boolean take() {
      return taken.compareAndSet(0, PART);
    }

    @Override
    void giveBack() {
      taken.set(0);
      if (!line.isEmpty() && take()) {
        line.remove().run();
      }
    }

    @Override
    long taken() {
      return taken.get();
    }
  }

  @Test
  void nobodyIsForgottenInLine() {
    ModelCheck.ofScenarios(1, 0).unordered().check(Sending.class);
  }

  @Test
  void seededFaultIsFound() {
    assertThatThrownBy(
            () -> ModelCheck.ofScenarios(1, 0).unordered().forFault().check(LookedOnce.class))
        .isInstanceOf(LincheckAssertionError.class)
        .hasMessageContaining("left waiting, with 0 taken");
  }
}
