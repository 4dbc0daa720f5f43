package dev.muster.types.scheduling;

import java.util.concurrent.locks.Condition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Belongs to the thread that runs it, but for what the {@link FairScheduler} does under its lock:
 * one task and its use of the CPU. The static methods are for code that may run in a task, and do
 * nothing special elsewhere.
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

  /** Somebody waits and leaves the CPU alone, until it is closed by the thread that began it. */
  public interface Waiting extends AutoCloseable {
    @Override
    void close();
  }

  /** A limit that counts until it is closed by the thread that set it. */
  public interface Limit extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * For loops whose length a client chooses: lets others have the CPU when it is their turn.
   *
   * @throws RuntimeException the one of {@link #limited}, when the task must go on no longer
   */
  public static void checkpoint() {
    var cpuTask = CURRENT.get();
    if (cpuTask != null) {
      cpuTask.spend();
    }
  }

  /**
   * Gives the place to others while this thread waits for something else than the CPU. No lock may
   * be held, for closing waits until it is the task's turn again.
   */
  public static Waiting waiting() {
    var cpuTask = CURRENT.get();
    return cpuTask == null ? WITHOUT_TASK : cpuTask.leavePlace();
  }

  /**
   * Has the current task ask at its checkpoints whether it may go on, about as often as it may
   * compute at a stretch, until this is closed.
   *
   * @param limit throws when it may not
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

  /** Whether the current thread runs a task in one of the scheduler's places. */
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

  /** With a place, on a thread of the scheduler. */
  @Override
  public void run() {
    begun = true;
    holdsPlace = true;
    work();
  }

  /** Without a place, on whatever thread this is. */
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

  /** A virtual thread that has used its time lets others have the carrier, whatever they do. */
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

  /** Under the scheduler's lock. */
  void wake() {
    holdsPlace = true;
    granted.signal();
  }

  /** Under the scheduler's lock. */
  void losePlace() {
    holdsPlace = false;
  }

  /** Under the scheduler's lock, which it lets go while it waits. */
  void awaitPlace() {
    while (!holdsPlace) {
      granted.awaitUninterruptibly();
    }
  }
}
