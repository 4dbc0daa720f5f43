package dev.muster.flowcontrol;

import dev.muster.authorization.Attributes;
import dev.muster.flowcontrol.metrics.FlowRefusal;
import org.jspecify.annotations.Nullable;

/**
 * A request that wants seats of a level. What changes is guarded by the lock of the level's {@link
 * QueueSet}. Extended by who goes on when it is let in.
 */
public abstract class SeatRequest {
  /** What became of it. */
  public enum State {
    NEW,
    WAITING,
    EXECUTING,
    REFUSED,
    /** Answered, but what follows from it still takes seats. */
    LINGERING,
    DONE
  }

  private final Flow flow;
  private final Attributes attributes;
  private WorkEstimate work = WorkEstimate.ONE;
  private long total;

  State state = State.NEW;
  @Nullable FlowQueue queue;
  @Nullable SeatRequest before;
  @Nullable SeatRequest after;

  /** Of {@link RunningRequests}. */
  boolean runs;

  long runsSince;
  @Nullable SeatRequest ranBefore;
  @Nullable SeatRequest ranAfter;

  /** On the meter of its level. */
  long arrival;

  long arrivedAt;
  long startedAt;

  protected SeatRequest(Flow flow, Attributes attributes) {
    this.flow = flow;
    this.attributes = attributes;
  }

  /**
   * It had to wait, and may run now. On whatever thread has made room, which has other things to
   * do.
   */
  protected abstract void dispatched();

  /** The path that was asked for. */
  protected abstract String path();

  /**
   * Asks for its seats, once. It runs at once, or has to wait until {@link #dispatched}, or is
   * refused; what is answered here may not be true any more when it waits.
   */
  public final State start(WorkEstimate estimate, long now) {
    work = estimate;
    total = estimate.total(QueueSet.SERVICE_NANOS);
    return flow.level().queues().start(this, flow.schema().stats(), now);
  }

  /** Takes it out of its queue. Returns false when it does not wait any more. */
  public final boolean cancel(FlowRefusal why, long now) {
    return flow.level().queues().cancel(this, flow.schema().stats(), why, now);
  }

  /**
   * It is answered; a second time changes nothing.
   *
   * @return after how many nanoseconds {@link #release} must follow, 0 when nothing must; -1 when
   *     it did not run any more
   */
  public final long finish(long now) {
    return flow.level().queues().finish(this, flow.schema().stats(), now);
  }

  /**
   * It waits for something else than the CPU, and others may have that. It keeps its seats. At any
   * time, and as often as it likes.
   */
  public final void pause(long now) {
    flow.level().queues().pause(this, now);
  }

  /** It goes on after a pause. */
  public final void resume(long now) {
    flow.level().queues().resume(this, now);
  }

  /** What followed from it is over. */
  public final void release(long now) {
    flow.level().queues().release(this, flow.schema().stats(), now);
  }

  public final Flow flow() {
    return flow;
  }

  public final Attributes attributes() {
    return attributes;
  }

  public final WorkEstimate work() {
    return work;
  }

  /** In seat-nanoseconds. */
  final long totalWork() {
    return total;
  }

  final void narrowTo(int seats) {
    work = work.narrowedTo(seats);
  }
}
