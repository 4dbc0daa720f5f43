package dev.muster.replica;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Asked for by any thread, run by its executor: what is to be done after changes. Many calls before
 * it runs make one run, and it always begins after the last change that was told.
 */
public final class CoalescedTask {
  private final Executor executor;
  private final Runnable task;
  private final AtomicBoolean asked = new AtomicBoolean();

  public CoalescedTask(Executor executor, Runnable task) {
    this.executor = executor;
    this.task = task;
  }

  /** Has the task run soon; never blocks, unless the executor does. */
  public void ask() {
    if (!asked.getAndSet(true)) {
      executor.execute(this::run);
    }
  }

  private void run() {
    // Before the task looks, so that what changes while it does is told again.
    asked.set(false);
    task.run();
  }
}
