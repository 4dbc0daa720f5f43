package dev.muster.flowcontrol;

import dev.muster.authorization.Attributes;
import dev.muster.flowcontrol.metrics.FlowRefusal;
import org.jspecify.annotations.Nullable;

/**
 * A request that needs seats of a priority level. The lock of the level's {@link QueueSet} guards
 * its mutable fields. Subclasses continue the request when it is dispatched.
 */
public abstract class SeatRequest {
  /** The progress of the request. */
  public enum State {
    NEW,
    WAITING,
    EXECUTING,
    REFUSED,
    /** Answered, but its consequences still take seats. */
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

  /** Whether the request is in {@link RunningRequests}. */
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
   * Called when a waiting request may run, on the thread that has released seats; must return
   * quickly.
   */
  protected abstract void dispatched();

  /** The path of the request. */
  protected abstract String path();

  /**
   * Asks for the seats, once. The request runs at once, waits until {@link #dispatched}, or is
   * refused. If it waits, the returned state may already be outdated.
   */
  public final State start(WorkEstimate estimate, long now) {
    work = estimate;
    total = estimate.total(QueueSet.SERVICE_NANOS);
    return flow.level().queues().start(this, flow.schema().stats(), now);
  }

  /** Removes the request from its queue. Returns false when it no longer waits. */
  public final boolean cancel(FlowRefusal why, long now) {
    return flow.level().queues().cancel(this, flow.schema().stats(), why, now);
  }

  /**
   * Ends the request. A second call has no effect.
   *
   * @return after how many nanoseconds {@link #release} must follow; 0 when it need not; -1 when
   *     the request no longer ran
   */
  public final long finish(long now) {
    return flow.level().queues().finish(this, flow.schema().stats(), now);
  }

  /**
   * Marks the request as waiting for something other than the CPU; it keeps its seats. May be
   * called at any time, repeatedly.
   */
  public final void pause(long now) {
    flow.level().queues().pause(this, now);
  }

  /** Marks the request as using the CPU again after a pause. */
  public final void resume(long now) {
    flow.level().queues().resume(this, now);
  }

  /** Releases the seats held for the consequences of the request. */
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
