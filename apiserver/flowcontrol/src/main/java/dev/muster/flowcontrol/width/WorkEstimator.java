package dev.muster.flowcontrol.width;

import dev.muster.authorization.Attributes;
import dev.muster.flowcontrol.Flow;
import dev.muster.flowcontrol.WorkEstimate;

/** Estimates the seats of a request before it runs, with the constants of kube-apiserver. */
public final class WorkEstimator {
  private static final int WIDEST_LIST = 100;
  private static final int WIDEST_WRITE = 10;
  private static final long BYTES_PER_SEAT = 100_000;
  private static final long STREAMED_BYTES = 1_000_000;
  private static final int WATCHES_PER_SEAT = 10;
  private static final long EVENT_NANOS = 5_000_000;

  private WorkEstimator() {}

  /**
   * A list, or a watch that begins with one.
   *
   * @param bytes the size of the listed objects, which are sent while they are encoded
   */
  public static WorkEstimate list(Flow flow, long bytes) {
    long seats = Math.ceilDiv(Math.min(bytes, STREAMED_BYTES), BYTES_PER_SEAT);
    int widest = Math.min(WIDEST_LIST, flow.level().widest());
    return WorkEstimate.wide(Math.clamp(seats, 1, widest));
  }

  /** A write, whose consequence is that watches are notified. */
  public static WorkEstimate write(Flow flow, Attributes write, WatchCounts watches) {
    if (write.subresource().equals("token") && write.resource().equals("serviceaccounts")) {
      return WorkEstimate.ONE;
    }
    int watching = watches.interestedIn(write);
    flow.schema().watchers(watching);
    if (watching < WATCHES_PER_SEAT) {
      return WorkEstimate.ONE;
    }
    int seats = Math.ceilDiv(watching, WATCHES_PER_SEAT);
    return new WorkEstimate(1, seats, EVENT_NANOS)
        .narrowedTo(Math.min(WIDEST_WRITE, flow.level().widest()));
  }
}
