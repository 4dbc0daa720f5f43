package dev.muster.server.watch;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** An event loop that any thread gives tasks to, and the test runs when it wants to. */
final class HeldLoop extends AbstractExecutorService implements ScheduledExecutorService {
  private final LinkedBlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
  private final List<Timer<?>> timers = new ArrayList<>();
  private volatile boolean ended;

  /** How many tasks wait. */
  int waiting() {
    return tasks.size();
  }

  /** Runs what has waited longest; whether there was something. */
  boolean runOne() {
    var task = tasks.poll();
    if (task != null) {
      task.run();
    }
    return task != null;
  }

  /** Runs what waits. */
  void run() {
    for (var task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
  }

  /** Runs what comes until something is so. */
  void runUntil(BooleanSupplier condition) throws InterruptedException {
    while (!condition.getAsBoolean()) {
      var task = tasks.poll(60, TimeUnit.SECONDS);
      if (task == null) {
        throw new AssertionError("nothing came that would have made it so");
      }
      task.run();
    }
  }

  /** The delays of what is to run later, in seconds. */
  List<Long> timers() {
    return timers.stream()
        .filter(timer -> !timer.isCancelled())
        .map(timer -> timer.getDelay(TimeUnit.SECONDS))
        .toList();
  }

  @Override
  public void execute(Runnable task) {
    if (ended) {
      throw new RejectedExecutionException("ended");
    }
    tasks.add(task);
  }

  private static final class Timer<V> extends FutureTask<V> implements ScheduledFuture<V> {
    private final long nanos;

    Timer(Callable<V> task, long nanos) {
      super(task);
      this.nanos = nanos;
    }

    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      return Long.compare(nanos, other.getDelay(TimeUnit.NANOSECONDS));
    }
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
    return schedule(
        () -> {
          task.run();
          return true;
        },
        delay,
        unit);
  }

  @Override
  public <V> ScheduledFuture<V> schedule(Callable<V> task, long delay, TimeUnit unit) {
    var timer = new Timer<>(task, unit.toNanos(delay));
    if (delay == 0) {
      execute(timer);
    } else {
      timers.add(timer);
    }
    return timer;
  }

  @Override
  public ScheduledFuture<?> scheduleAtFixedRate(
      Runnable task, long initialDelay, long period, TimeUnit unit) {
    throw new UnsupportedOperationException("watches have no timers that repeat");
  }

  @Override
  public ScheduledFuture<?> scheduleWithFixedDelay(
      Runnable task, long initialDelay, long delay, TimeUnit unit) {
    throw new UnsupportedOperationException("watches have no timers that repeat");
  }

  @Override
  public void shutdown() {
    ended = true;
  }

  @Override
  public List<Runnable> shutdownNow() {
    ended = true;
    return List.of();
  }

  @Override
  public boolean isShutdown() {
    return ended;
  }

  @Override
  public boolean isTerminated() {
    return ended;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    return ended;
  }
}
