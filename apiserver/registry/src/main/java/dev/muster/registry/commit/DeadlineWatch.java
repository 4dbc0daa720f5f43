package dev.muster.registry.commit;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Waits for futures until a deadline, without one timer per wait. Nearly every wait ends within
 * milliseconds, but a virtual thread that parks with a timeout wakes the JVM's timer thread.
 * Waiting threads therefore park without a timeout, and while any thread waits, one watcher checks
 * a few times a second for expired deadlines. Thread-safe.
 */
final class DeadlineWatch {
  private static final long BETWEEN_LOOKS = Duration.ofMillis(100).toNanos();

  /** A waiting thread; the future wakes it when it completes. */
  private static final class Waiter implements BiConsumer<@Nullable Object, @Nullable Throwable> {
    private final Thread thread = Thread.currentThread();
    private final Deadline deadline;

    Waiter(Deadline deadline) {
      this.deadline = deadline;
    }

    @Override
    public void accept(@Nullable Object result, @Nullable Throwable failure) {
      LockSupport.unpark(thread);
    }
  }

  private final Executor watchers;
  private final Set<Waiter> waiters = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean watched = new AtomicBoolean();

  DeadlineWatch() {
    this(look -> Thread.ofVirtual().name("deadline-watch").start(look));
  }

  /**
   * @param watchers runs each check on a thread of its own
   */
  DeadlineWatch(Executor watchers) {
    this.watchers = watchers;
  }

  /**
   * Waits for the future's result.
   *
   * @throws TimeoutException when the future is not complete at the deadline or shortly after it
   */
  <T> T await(CompletableFuture<T> future, Deadline deadline)
      throws InterruptedException, ExecutionException, TimeoutException {
    if (!future.isDone()) {
      var waiter = new Waiter(deadline);
      future.whenComplete(waiter);
      waiters.add(waiter);
      try {
        watch();
        while (!future.isDone()) {
          if (deadline.isOver()) {
            throw new TimeoutException();
          }
          LockSupport.park(this);
          if (Thread.interrupted()) {
            throw new InterruptedException();
          }
        }
      } finally {
        waiters.remove(waiter);
      }
    }
    return future.get();
  }

  private void watch() {
    if (!watched.get() && watched.compareAndSet(false, true)) {
      watchers.execute(this::check);
    }
  }

  private void check() {
    do {
      while (!waiters.isEmpty()) {
        LockSupport.parkNanos(this, BETWEEN_LOOKS);
        for (var waiter : waiters) {
          if (waiter.deadline.isOver()) {
            LockSupport.unpark(waiter.thread);
          }
        }
      }
      watched.set(false);
    } while (!waiters.isEmpty() && watched.compareAndSet(false, true));
  }
}
