package dev.muster.store.embedded;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.store.StoreException;
import dev.muster.store.embedded.CommitterTask.PendingCompaction;
import dev.muster.testing.ModelCheck;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever is added is answered, and the committer does not sleep meanwhile. */
@Tag("slow")
class CommitQueueTest {
  /** A task, and a thread that takes it; it sleeps until it is woken, however long that takes. */
  public static class Waking {
    final AtomicBoolean woken = new AtomicBoolean();
    final CommitQueue queue = new CommitQueue(() -> woken.set(true));

    @Operation(runOnce = true)
    public void add() {
      queue.add(new PendingCompaction(1, new CompletableFuture<>()));
    }

    @Operation(runOnce = true)
    public void take() {
      while (queue.poll() == null) {
        queue.pause(this::sleep);
      }
    }

    void sleep() {
      while (!woken.getAndSet(false)) {
        Thread.onSpinWait();
      }
    }
  }

  /** The same with a fault: a wake-up counts only for who sleeps already. */
  public static class SleepingDeeply extends Waking {
    @Override
    void sleep() {
      woken.set(false);
      super.sleep();
    }
  }

  /** A task that comes while the last one is taken. */
  public static class Closing {
    final CommitQueue queue = new CommitQueue(() -> {});
    private final Answer answer = new Answer();

    public Closing() {
      queue.close();
    }

    @Operation(runOnce = true)
    public void add() {
      queue.add(new PendingCompaction(1, answer));
    }

    @Operation(runOnce = true)
    public void finish() {
      while (queue.poll() instanceof PendingCompaction task) {
        task.outcome().complete(null);
      }
      queue.finish();
    }

    @Validate
    public void everythingIsAnswered() {
      if (!answer.given) {
        throw new IllegalStateException("left without an answer");
      }
    }
  }

  /** The same with a fault: the last one leaves without a word. */
  public static class LeavingSilently extends Closing {
    @Override
    public void finish() {
      queue.refuseAll(new StoreException.Closed());
    }
  }

  private static final class Answer extends CompletableFuture<Void> {
    private volatile boolean given;

    @Override
    public boolean complete(Void value) {
      given = true;
      return true;
    }

    @Override
    public boolean completeExceptionally(Throwable failure) {
      given = true;
      return true;
    }
  }

  @Test
  void theCommitterIsWoken() {
    ModelCheck.ofTwoSteps().check(Waking.class);
  }

  @Test
  void lostWakeUpIsFound() {
    assertThatThrownBy(() -> ModelCheck.ofTwoSteps().check(SleepingDeeply.class))
        .isInstanceOf(LincheckAssertionError.class)
        .hasMessageContaining("The execution has hung");
  }

  @Test
  void whatComesLastIsAnswered() {
    ModelCheck.ofTwoSteps().check(Closing.class);
  }

  @Test
  void missingAnswerIsFound() {
    assertThatThrownBy(() -> ModelCheck.ofTwoSteps().check(LeavingSilently.class))
        .isInstanceOf(LincheckAssertionError.class)
        .hasMessageContaining("left without an answer");
  }
}
