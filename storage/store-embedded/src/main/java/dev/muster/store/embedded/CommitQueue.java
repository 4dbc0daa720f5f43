package dev.muster.store.embedded;

import dev.muster.store.StoreException;
import dev.muster.store.embedded.CommitterTask.PendingCommit;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The tasks that wait for the committer. Any thread adds; the committer thread takes. The committer
 * sleeps while the queue is empty, and adding wakes it only then, because waking costs more than
 * adding. Every added task is completed, at the latest when the queue finishes.
 */
final class CommitQueue {
  private final ConcurrentLinkedQueue<CommitterTask> tasks = new ConcurrentLinkedQueue<>();
  private final Runnable wake;
  private volatile boolean idle;
  private volatile boolean closing;
  private volatile boolean finished;

  /**
   * @param wake ends the current or next sleep of the committer thread
   */
  CommitQueue(Runnable wake) {
    this.wake = wake;
  }

  void add(CommitterTask task) {
    tasks.add(task);
    if (idle) {
      wake.run();
    }
    if (finished) {
      refuseAll(new StoreException.Closed());
    }
  }

  /** Puts back commits that the committer has taken. */
  void addAgain(List<PendingCommit> commits) {
    tasks.addAll(commits);
  }

  @Nullable CommitterTask poll() {
    return tasks.poll();
  }

  boolean isEmpty() {
    return tasks.isEmpty();
  }

  /** Sleeps, unless a task waits or the queue is closing. */
  void pause(Runnable sleep) {
    idle = true;
    if (tasks.isEmpty() && !closing) {
      sleep.run();
    }
    idle = false;
  }

  void refuseAll(StoreException failure) {
    for (var task = tasks.poll(); task != null; task = tasks.poll()) {
      task.fail(failure);
    }
  }

  /** Closes the queue for new tasks; the committer still processes the waiting ones. */
  void close() {
    closing = true;
    wake.run();
  }

  boolean isClosing() {
    return closing;
  }

  /** Fails all remaining tasks; the committer has ended. */
  void finish() {
    finished = true;
    refuseAll(new StoreException.Closed());
  }
}
