package dev.muster.replica;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Runs a task on an executor after changes, and merges calls: many calls of {@link #ask} before a
 * run cause one run. A run always begins after the last change that was reported. Thread-safe.
 */
public final class CoalescedTask {
  private final Executor executor;
  private final Runnable task;
  private final AtomicBoolean asked = new AtomicBoolean();

  public CoalescedTask(Executor executor, Runnable task) {
    this.executor = executor;
    this.task = task;
  }

  /** Schedules a run of the task. Blocks only if the executor does. */
  public void ask() {
    if (!asked.getAndSet(true)) {
      executor.execute(this::run);
    }
  }

  private void run() {
    // Reset before the task runs, so that a change during the run schedules another run.
    asked.set(false);
    task.run();
  }
}
