package dev.muster.types.scheduling;

import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs work that can keep a core busy for long, with fairness between users. Such work runs on
 * platform threads in a small number of places, so that short work on event loops and virtual
 * threads always finds a free core. Each waiting task belongs to a flow, which is the user of its
 * request; flows take turns, however many tasks each of them has. Thread-safe.
 *
 * <p>A long task calls {@link CpuTask#checkpoint}, which yields to other flows after a time slice.
 * A task that waits for something other than the CPU does so in {@link CpuTask#waiting} and holds
 * no place meanwhile.
 *
 * <pre>
 *   execute ─→ waiting ─→ running ─→ done
 *                 ↑          │
 *                 └──────────┘  its time slice is over and other flows wait, or it had to wait
 * </pre>
 */
public final class FairScheduler implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(FairScheduler.class);
  private static final long SLICE = 10_000_000;

  private final int places;
  private final LongSupplier nanoTime;
  private final ReentrantLock lock = new ReentrantLock();
  private final ExecutorService threads =
      Executors.newCachedThreadPool(Thread.ofPlatform().daemon().name("cpu-", 0).factory());

  /** The waiting flows, the next one first. The lock guards this and all following fields. */
  private final LinkedHashMap<String, ArrayDeque<CpuTask>> lines = new LinkedHashMap<>();

  private int running;
  private int waiting;
  private long begun;

  /**
   * Has a place for each core but one, which stays free for short work, and at least two places, so
   * that one task never stops all others.
   */
  public FairScheduler() {
    this(Math.max(2, Runtime.getRuntime().availableProcessors() - 1), System::nanoTime);
  }

  /**
   * @param places how many tasks run at a time
   */
  public FairScheduler(int places, LongSupplier nanoTime) {
    if (places <= 0) {
      throw new IllegalArgumentException("there must be a place, not " + places);
    }
    this.places = places;
    this.nanoTime = nanoTime;
  }

  /** Runs the task on another thread when its flow has its turn. */
  public void execute(String flow, Runnable task) {
    var cpuTask = new CpuTask(this, flow, task, WaitListener.NONE);
    lock.lock();
    try {
      queue(cpuTask, false);
      grant();
    } finally {
      lock.unlock();
    }
  }

  /** An executor for the tasks of one flow. */
  public Executor of(String flow) {
    return task -> execute(flow, task);
  }

  /**
   * Runs a short task at once on the current thread. The task needs a place only if it reaches a
   * {@link CpuTask#checkpoint} after its time slice.
   *
   * @param listener is notified when the task waits, also for a place
   */
  public void run(String flow, Runnable task, WaitListener listener) {
    new CpuTask(this, flow, task, listener).runShort();
  }

  long now() {
    return nanoTime.getAsLong();
  }

  boolean isOver(long began) {
    return now() - began >= SLICE;
  }

  /** Waits for a place. The caller has none. */
  void acquire(CpuTask cpuTask) {
    lock.lock();
    try {
      queue(cpuTask, true);
      grant();
      cpuTask.awaitPlace();
    } finally {
      lock.unlock();
    }
  }

  void release() {
    lock.lock();
    try {
      running--;
      grant();
    } finally {
      lock.unlock();
    }
  }

  /** Gives the place to a waiting task, if there is one, and waits for its next turn. */
  void rotate(CpuTask cpuTask) {
    lock.lock();
    try {
      if (waiting > 0) {
        running--;
        cpuTask.losePlace();
        queue(cpuTask, true);
        grant();
        cpuTask.awaitPlace();
      }
    } finally {
      lock.unlock();
    }
  }

  Condition newCondition() {
    return lock.newCondition();
  }

  /**
   * @param begun whether the task precedes those of its flow that have not begun, since it already
   *     holds memory
   */
  private void queue(CpuTask cpuTask, boolean begun) {
    var line = lines.computeIfAbsent(cpuTask.flow(), key -> new ArrayDeque<>(2));
    if (begun) {
      line.addFirst(cpuTask);
    } else {
      line.addLast(cpuTask);
    }
    waiting++;
  }

  private void grant() {
    while (running < places) {
      var cpuTask = next();
      if (cpuTask == null) {
        return;
      }
      running++;
      if (cpuTask.hasBegun()) {
        cpuTask.wake();
      } else {
        begin(cpuTask);
      }
    }
  }

  private void begin(CpuTask cpuTask) {
    begun++;
    try {
      threads.execute(cpuTask);
    } catch (RejectedExecutionException e) {
      running--;
      LOG.debug("the server has ended", e);
    } catch (Error e) {
      // No memory for another thread: the place becomes free.
      running--;
      throw e;
    }
  }

  private @Nullable CpuTask next() {
    var first = lines.pollFirstEntry();
    if (first == null) {
      return null;
    }
    var line = first.getValue();
    var cpuTask = line.pollFirst();
    if (!line.isEmpty()) {
      lines.putLast(first.getKey(), line);
    }
    waiting--;
    return cpuTask;
  }

  /** The number of tasks with a place. */
  public int running() {
    lock.lock();
    try {
      return running;
    } finally {
      lock.unlock();
    }
  }

  /**
   * The number of tasks that have started in a place, except short tasks that turned out to be
   * long.
   */
  public long begun() {
    lock.lock();
    try {
      return begun;
    } finally {
      lock.unlock();
    }
  }

  /** The number of tasks that wait for a place. */
  public int waiting() {
    lock.lock();
    try {
      return waiting;
    } finally {
      lock.unlock();
    }
  }

  /** Starts no further tasks; running tasks continue. */
  @Override
  public void close() {
    threads.shutdown();
  }
}
