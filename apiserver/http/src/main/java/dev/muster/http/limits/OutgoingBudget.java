package dev.muster.http.limits;

import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits the memory of data that waits to be sent on all connections together. All event loops
 * share it. Existing data is always counted; data that is still to be produced waits in line until
 * there is room for it. Bytes are returned when the socket has accepted them or the connection is
 * closed.
 */
public final class OutgoingBudget {
  /** The bytes that are reserved for a part of unknown length before it is produced. */
  public static final int PART = 64 * 1024;

  /** How much all streams of a connection may have queued before they are no longer writable. */
  public static final int STREAMS_PENDING = 8 * 1024 * 1024;

  private static final Logger log = LoggerFactory.getLogger(OutgoingBudget.class);

  private record Waiting(long bytes, Executor loop, Runnable then) {}

  private final long limit;
  private final AtomicLong taken = new AtomicLong();
  private final AtomicLong most = new AtomicLong();
  private final AtomicInteger inLine = new AtomicInteger();

  /** The lock of {@code this} protects both lines. */
  private final ArrayDeque<Waiting> urgentLine = new ArrayDeque<>();

  private final ArrayDeque<Waiting> line = new ArrayDeque<>();

  public OutgoingBudget(long limit) {
    this.limit = limit;
  }

  /** Counts bytes that wait. They exist already, so they are never refused. */
  public void add(long bytes) {
    if (bytes > 0) {
      noteMost(taken.addAndGet(bytes));
    } else if (bytes < 0) {
      taken.addAndGet(bytes);
      letIn();
    }
  }

  /**
   * Reserves room for data that is still to be produced, now or when there is room. Then runs the
   * task on the loop; the task returns the reserved bytes. A reservation above the limit succeeds
   * when nothing else is reserved.
   *
   * @param urgent for the rest of a response whose client has read everything so far; such
   *     responses have twice the room, so that clients that read do not wait for clients that do
   *     not
   */
  public void reserve(long bytes, boolean urgent, Executor loop, Runnable then) {
    if (inLine.get() == 0 && tryTake(bytes, urgent)) {
      then.run();
      return;
    }
    synchronized (this) {
      (urgent ? urgentLine : line).add(new Waiting(bytes, loop, then));
      inLine.incrementAndGet();
    }
    letIn();
  }

  private boolean tryTake(long bytes, boolean urgent) {
    long most = urgent ? 2 * limit : limit;
    for (long now = taken.get(); now + bytes <= most || now <= 0; now = taken.get()) {
      if (taken.compareAndSet(now, now + bytes)) {
        noteMost(now + bytes);
        return true;
      }
    }
    return false;
  }

  private void letIn() {
    while (inLine.get() > 0) {
      Waiting next;
      synchronized (this) {
        next = first(urgentLine, true);
        if (next == null) {
          next = first(line, false);
        }
        if (next == null) {
          return;
        }
        inLine.decrementAndGet();
      }
      run(next);
    }
  }

  /** The first of a line, if there is room for it. */
  private @Nullable Waiting first(ArrayDeque<Waiting> waiting, boolean urgent) {
    var next = waiting.peek();
    return next != null && tryTake(next.bytes(), urgent) ? waiting.poll() : null;
  }

  private void run(Waiting next) {
    try {
      next.loop().execute(next.then());
    } catch (RejectedExecutionException e) {
      taken.addAndGet(-next.bytes());
      log.debug("the server has ended", e);
    }
  }

  private void noteMost(long now) {
    if (now > most.get()) {
      most.accumulateAndGet(now, Math::max);
    }
  }

  /** Whether responses wait for room, or the limit is exceeded. */
  public boolean isFull() {
    return inLine.get() > 0 || taken.get() > limit;
  }

  /** How much one connection may have waiting before its next request is refused. */
  public long share() {
    return Math.max(limit / 4, 2L * STREAMS_PENDING);
  }

  /** The bytes that wait to be sent or are being produced. */
  public long taken() {
    return taken.get();
  }

  public long limit() {
    return limit;
  }

  /** The highest value so far. */
  public long most() {
    return most.get();
  }

  /** The number of responses that wait for room. */
  public int waiting() {
    return inLine.get();
  }
}
