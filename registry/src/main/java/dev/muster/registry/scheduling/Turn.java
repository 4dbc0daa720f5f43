package dev.muster.registry.scheduling;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Belongs to the thread that runs it, but for what the {@link FairScheduler} does under its lock:
 * one task and its use of the CPU. The static methods are for code that may run in a task, and do
 * nothing special elsewhere.
 */
public final class Turn implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(Turn.class);
  private static final ThreadLocal<Turn> CURRENT = new ThreadLocal<>();

  private final FairScheduler scheduler;
  private final String flow;
  private final Runnable task;
  private final Condition granted;
  private boolean begun;
  private boolean holdsPlace;
  private long since;

  Turn(FairScheduler scheduler, String flow, Runnable task) {
    this.scheduler = scheduler;
    this.flow = flow;
    this.task = task;
    this.granted = scheduler.newCondition();
  }

  /** Something that waits and leaves the CPU alone. */
  public interface Wait<T> {
    T get() throws InterruptedException, ExecutionException, TimeoutException;
  }

  /** For loops whose length a client chooses: lets others have the CPU when it is their turn. */
  public static void checkpoint() {
    var turn = CURRENT.get();
    if (turn != null) {
      turn.spend();
    }
  }

  /** Waits without a place, which others can have meanwhile. No lock may be held. */
  public static <T> T waiting(Wait<T> wait)
      throws InterruptedException, ExecutionException, TimeoutException {
    var turn = CURRENT.get();
    return turn == null ? wait.get() : turn.waitOutside(wait);
  }

  /** Whether the current thread runs a task in one of the scheduler's places. */
  public static boolean isInPlace() {
    var turn = CURRENT.get();
    return turn != null && turn.holdsPlace;
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

  private void spend() {
    if (scheduler.isOver(since)) {
      if (holdsPlace) {
        scheduler.rotate(this);
      } else {
        scheduler.acquire(this);
      }
      if (Thread.currentThread().isVirtual()) {
        Thread.yield();
      }
      since = scheduler.now();
    }
  }

  private <T> T waitOutside(Wait<T> wait)
      throws InterruptedException, ExecutionException, TimeoutException {
    boolean held = holdsPlace;
    if (held) {
      holdsPlace = false;
      scheduler.release();
    }
    try {
      return wait.get();
    } finally {
      if (held) {
        scheduler.acquire(this);
      }
      since = scheduler.now();
    }
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
