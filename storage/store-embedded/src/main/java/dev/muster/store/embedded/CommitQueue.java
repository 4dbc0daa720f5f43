package dev.muster.store.embedded;

import dev.muster.store.StoreException;
import dev.muster.store.embedded.CommitterTask.PendingCommit;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Any thread adds, the committer's thread takes. That one sleeps while nothing waits, and is woken
 * only then: waking costs more than adding. Whatever is added is answered, the last of it when the
 * queue is finished.
 */
final class CommitQueue {
  private final ConcurrentLinkedQueue<CommitterTask> tasks = new ConcurrentLinkedQueue<>();
  private final Runnable wake;
  private volatile boolean idle;
  private volatile boolean closing;
  private volatile boolean finished;

  /**
   * @param wake ends the sleep of the committer's thread, or the next one
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

  /** Puts back what the committer has taken. */
  void addAgain(List<PendingCommit> commits) {
    tasks.addAll(commits);
  }

  @Nullable CommitterTask poll() {
    return tasks.poll();
  }

  boolean isEmpty() {
    return tasks.isEmpty();
  }

  /** Sleeps, unless something waits or the queue is closing. */
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

  /** Nothing should be added any more; what waits is still carried out. */
  void close() {
    closing = true;
    wake.run();
  }

  boolean isClosing() {
    return closing;
  }

  /** Nobody takes any more. */
  void finish() {
    finished = true;
    refuseAll(new StoreException.Closed());
  }
}
