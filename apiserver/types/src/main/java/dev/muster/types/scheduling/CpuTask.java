package dev.muster.types.scheduling;

import java.util.concurrent.locks.Condition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One task and its use of the CPU. The static methods are for code that may run in a task; outside
 * of a task they do nothing. Only the thread that runs the task uses it, except for the parts that
 * the {@link FairScheduler} changes under its lock.
 */
public final class CpuTask implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(CpuTask.class);
  private static final ThreadLocal<CpuTask> CURRENT = new ThreadLocal<>();
  private static final Waiting WITHOUT_TASK = () -> {};
  private static final Limit UNLIMITED = () -> {};

  private final FairScheduler scheduler;
  private final String flow;
  private final Runnable task;
  private final Condition granted;
  private final WaitListener listener;
  private boolean begun;
  private boolean holdsPlace;
  private Runnable limit = () -> {};
  private long since;

  CpuTask(FairScheduler scheduler, String flow, Runnable task, WaitListener listener) {
    this.scheduler = scheduler;
    this.flow = flow;
    this.task = task;
    this.listener = listener;
    this.granted = scheduler.newCondition();
  }

  /**
   * A time during which the thread waits without using the CPU. The thread that began it closes it.
   */
  public interface Waiting extends AutoCloseable {
    @Override
    void close();
  }

  /** A limit that holds until the thread that set it closes it. */
  public interface Limit extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Yields to waiting tasks when the time slice is over. Called in loops whose length depends on
   * the client's input.
   *
   * @throws RuntimeException from {@link #limited}, when the task must stop
   */
  public static void checkpoint() {
    var cpuTask = CURRENT.get();
    if (cpuTask != null) {
      cpuTask.spend();
    }
  }

  /**
   * Gives the task's place to others while this thread waits for something other than the CPU. The
   * caller must hold no lock, because closing waits for a place again.
   */
  public static Waiting waiting() {
    var cpuTask = CURRENT.get();
    return cpuTask == null ? WITHOUT_TASK : cpuTask.leavePlace();
  }

  /**
   * Calls the limit at checkpoints of the current task, about once per time slice, until it is
   * closed.
   *
   * @param limit throws when the task must stop
   */
  public static Limit limited(Runnable limit) {
    var cpuTask = CURRENT.get();
    if (cpuTask == null) {
      return UNLIMITED;
    }
    var outer = cpuTask.limit;
    cpuTask.limit = limit;
    return () -> cpuTask.limit = outer;
  }

  /** Whether the current thread runs a task that has a place. */
  public static boolean isInPlace() {
    var cpuTask = CURRENT.get();
    return cpuTask != null && cpuTask.holdsPlace;
  }

  String flow() {
    return flow;
  }

  boolean hasBegun() {
    return begun;
  }

  /** Runs with a place, on a thread of the scheduler. */
  @Override
  public void run() {
    begun = true;
    holdsPlace = true;
    work();
  }

  /** Runs without a place, on the current thread. */
  void runShort() {
    begun = true;
    work();
  }

  private void work() {
    var outer = CURRENT.get();
    CURRENT.set(this);
    since = scheduler.now();
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      LOG.error("a task failed", e);
    } finally {
      if (outer == null) {
        CURRENT.remove();
      } else {
        CURRENT.set(outer);
      }
      if (holdsPlace) {
        scheduler.release();
      }
    }
  }

  /** When its time slice is over, a virtual thread also yields its carrier thread. */
  @SuppressWarnings("ThreadPriorityCheck")
  private void spend() {
    if (scheduler.isOver(since)) {
      if (holdsPlace) {
        scheduler.rotate(this);
      } else {
        listener.waits();
        scheduler.acquire(this);
      }
      if (Thread.currentThread().isVirtual()) {
        Thread.yield();
      }
      since = scheduler.now();
      limit.run();
    }
  }

  private Waiting leavePlace() {
    boolean held = holdsPlace;
    if (held) {
      holdsPlace = false;
      scheduler.release();
    } else {
      listener.waits();
    }
    return () -> {
      if (held) {
        scheduler.acquire(this);
      } else {
        listener.goesOn();
      }
      since = scheduler.now();
    };
  }

  /** Called under the scheduler's lock. */
  void wake() {
    holdsPlace = true;
    granted.signal();
  }

  /** Called under the scheduler's lock. */
  void losePlace() {
    holdsPlace = false;
  }

  /** Called under the scheduler's lock, which it releases while it waits. */
  void awaitPlace() {
    while (!holdsPlace) {
      granted.awaitUninterruptibly();
    }
  }
}
