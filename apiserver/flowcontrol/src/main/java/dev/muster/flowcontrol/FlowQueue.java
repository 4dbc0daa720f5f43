package dev.muster.flowcontrol;

import org.jspecify.annotations.Nullable;

/**
 * One queue of a level: who waits, in order, and who of it runs. Guarded by the lock of its {@link
 * QueueSet}. Work is in seat-nanoseconds, and times on that meter are compared by their difference,
 * so that the meter may overflow.
 */
final class FlowQueue {
  final int index;

  /** When the next request would be dispatched if seats were given out evenly all the time. */
  long nextDispatch;

  int length;
  int executing;
  int seatsInUse;
  int initialSeatsWaiting;
  int maxSeatsWaiting;
  long workWaiting;
  @Nullable SeatRequest first;
  @Nullable SeatRequest firstExecuting;

  /** Neighbours among the queues in which somebody waits. */
  @Nullable FlowQueue before;

  @Nullable FlowQueue after;

  private @Nullable SeatRequest last;

  FlowQueue(int index) {
    this.index = index;
  }

  boolean isActive() {
    return length > 0 || executing > 0;
  }

  void enqueue(SeatRequest request) {
    request.before = last;
    request.after = null;
    if (last == null) {
      first = request;
    } else {
      last.after = request;
    }
    last = request;
    length++;
    count(request, 1);
  }

  void remove(SeatRequest request) {
    if (request.before == null) {
      first = request.after;
    } else {
      request.before.after = request.after;
    }
    if (request.after == null) {
      last = request.before;
    } else {
      request.after.before = request.before;
    }
    request.before = null;
    request.after = null;
    length--;
    count(request, -1);
  }

  private void count(SeatRequest request, int sign) {
    initialSeatsWaiting += sign * request.work().initialSeats();
    maxSeatsWaiting += sign * request.work().maxSeats();
    workWaiting += sign * request.totalWork();
  }

  /** What it did not use so far is lost. */
  void catchUp(long meter) {
    if (!isActive() || nextDispatch - meter < 0) {
      nextDispatch = meter;
    }
  }

  /** Nobody is dispatched before it has come. Without this, a queue would save up what it left. */
  void bound() {
    var oldest = first;
    if (oldest != null && nextDispatch - oldest.arrival < 0) {
      nextDispatch = oldest.arrival;
    }
  }
}
