package dev.muster.registry.commit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.testing.ModelCheck;
import java.time.Duration;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Nobody waits whom nobody watches. */
@Tag("slow")
class DeadlineWatchConcurrencyTest {
  private static final Deadline FAR = Deadline.after(Duration.ofHours(1));

  /** What is checked, or something faulty. */
  private interface Watch {
    void await(CompletableFuture<Void> future) throws Exception;

    static Watch real(Executor watchers) {
      var watch = new DeadlineWatch(watchers);
      return future -> watch.await(future, FAR);
    }
  }

  /** One that waits, and a thread for those who watch; they are there because of a former one. */
  public static class Waiting {
    private final Queue<Runnable> watchers = new ConcurrentLinkedQueue<>();
    private final AtomicInteger watching = new AtomicInteger();
    private final AtomicInteger coming = new AtomicInteger();
    private final AtomicInteger waiting = new AtomicInteger();
    private volatile boolean gone;
    private volatile boolean forgotten;
    private final Watch watch;

    public Waiting() throws Exception {
      this(Watch::real);
    }

    private Waiting(Function<Executor, Watch> maker) throws Exception {
      watch = maker.apply(this::start);
      comeAndGo();
      gone = false;
    }

    @Operation(runOnce = true)
    public void comeAndGo() throws Exception {
      coming.incrementAndGet();
      watch.await(new Brief());
      gone = true;
    }

    @Operation(runOnce = true)
    public void watch() {
      while (!gone || !watchers.isEmpty()) {
        var watcher = watchers.poll();
        if (watcher == null) {
          Thread.onSpinWait();
        } else {
          watcher.run();
          watching.decrementAndGet();
          check();
        }
      }
    }

    private void start(Runnable watcher) {
      watching.incrementAndGet();
      watchers.add(watcher);
    }

    /** At one moment: whoever comes may be about to have somebody watch. */
    private void check() {
      forgotten |= waiting.get() > 0 && watching.get() == 0 && coming.get() == 0;
    }

    /** Is there as soon as its thread would park. */
    private final class Brief extends CompletableFuture<Void> {
      private int asked;

      @Override
      public boolean isDone() {
        asked++;
        if (asked == 2) {
          waiting.incrementAndGet();
          coming.decrementAndGet();
          check();
          waiting.decrementAndGet();
          complete(null);
        }
        return asked >= 2;
      }
    }

    @Validate
    public void everybodyWasWatched() {
      if (forgotten) {
        throw new IllegalStateException("nobody watched");
      }
    }
  }

  /** The same with a fault: who watches does not look once more after having said to be gone. */
  public static class LookingOnce extends Waiting {
    public LookingOnce() throws Exception {
      super(Faulty::new);
    }
  }

  private static final class Faulty implements Watch {
    private final Executor watchers;
    private final Set<Object> waiters = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean watched = new AtomicBoolean();

    Faulty(Executor watchers) {
      this.watchers = watchers;
    }

    @Override
    public void await(CompletableFuture<Void> future) {
      if (!future.isDone()) {
        waiters.add(future);
        if (watched.compareAndSet(false, true)) {
          watchers.execute(this::check);
        }
        if (future.isDone()) {
          waiters.remove(future);
        }
      }
    }

    private void check() {
      while (!waiters.isEmpty()) {
        Thread.onSpinWait();
      }
      watched.set(false);
    }
  }

  @Test
  void whoWaitsIsWatched() {
    ModelCheck.ofTwoSteps().atomic(Waiting.class, "check").check(Waiting.class);
  }

  @Test
  void seededFaultIsFound() {
    assertThatThrownBy(
            () -> ModelCheck.ofTwoSteps().atomic(Waiting.class, "check").check(LookingOnce.class))
        .isInstanceOf(LincheckAssertionError.class)
        .hasMessageContaining("nobody watched");
  }
}
