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
 * Safe for any thread. Whatever may keep a core busy for long runs in one of a few places, on
 * threads of the operating system, so that short work on event loops and virtual threads always
 * finds a core. Who waits for a place belongs to a flow, which is the user it is done for; flows
 * take turns, whatever each of them has waiting.
 *
 * <p>A task that goes on for long says so with {@link CpuTask#checkpoint}: after a slice of time it
 * lets the others have their turn. A task that has to wait for something else than a core does so
 * in {@link CpuTask#waiting} and keeps no place meanwhile.
 *
 * <pre>
 *   execute ─→ in line ─→ running ─→ done
 *                 ↑          │
 *                 └──────────┘  its slice is over and others wait, or it had to wait
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

  /** The flows that wait, the next one first. Under the lock, as all that follows. */
  private final LinkedHashMap<String, ArrayDeque<CpuTask>> lines = new LinkedHashMap<>();

  private int running;
  private int waiting;
  private long begun;

  /**
   * With a place for each core but one, which is left for what is short; and with two at the least,
   * so that one task never stops all others.
   */
  public FairScheduler() {
    this(Math.max(2, Runtime.getRuntime().availableProcessors() - 1), System::nanoTime);
  }

  /**
   * @param places how many run at a time
   */
  public FairScheduler(int places, LongSupplier nanoTime) {
    if (places <= 0) {
      throw new IllegalArgumentException("there must be a place, not " + places);
    }
    this.places = places;
    this.nanoTime = nanoTime;
  }

  /** Runs the task on another thread when it is the flow's turn. */
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

  /** The tasks of one flow. */
  public Executor of(String flow) {
    return task -> execute(flow, task);
  }

  /**
   * Runs a task that is expected to be short, here and at once. It needs a place only when it turns
   * out to be long, at a {@link CpuTask#checkpoint}.
   *
   * @param listener is told when the task waits, for a place, too
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

  /** Lets the others have the place, if there are any, and waits until it is the turn's again. */
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
   * @param begun whether it goes before those of its flow that have not begun: what has begun holds
   *     memory
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
      // There is no memory for a thread; the place is for others to have.
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

  /** How many have a place. */
  public int running() {
    lock.lock();
    try {
      return running;
    } finally {
      lock.unlock();
    }
  }

  /** How many have ever begun in one, those that turned out to be long aside. */
  public long begun() {
    lock.lock();
    try {
      return begun;
    } finally {
      lock.unlock();
    }
  }

  /** How many wait for one. */
  public int waiting() {
    lock.lock();
    try {
      return waiting;
    } finally {
      lock.unlock();
    }
  }

  /** Begins nothing more; what runs goes on to its end. */
  @Override
  public void close() {
    threads.shutdown();
  }
}
