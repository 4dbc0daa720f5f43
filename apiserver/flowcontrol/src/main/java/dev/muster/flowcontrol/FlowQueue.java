package dev.muster.flowcontrol;

import org.jspecify.annotations.Nullable;

/**
 * One queue of a priority level, with its waiting and running requests. The lock of its {@link
 * QueueSet} guards it. Work is measured in seat-nanoseconds. Meter readings are compared by
 * difference, because the meter may overflow.
 */
final class FlowQueue {
  final int index;

  /**
   * The meter reading at which the next request would be dispatched if all queues shared the seats
   * evenly.
   */
  long nextDispatch;

  int length;
  int executing;
  int seatsInUse;
  int initialSeatsWaiting;
  int maxSeatsWaiting;
  long workWaiting;
  @Nullable SeatRequest first;
  @Nullable SeatRequest firstExecuting;

  /** Neighbours in the list of queues with waiting requests. */
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

  /** Discards the share that the queue has not used until this meter reading. */
  void catchUp(long meter) {
    if (!isActive() || nextDispatch - meter < 0) {
      nextDispatch = meter;
    }
  }

  /**
   * Moves {@code nextDispatch} to at least the arrival of the first request, so that a queue cannot
   * save up unused share.
   */
  void bound() {
    var oldest = first;
    if (oldest != null && nextDispatch - oldest.arrival < 0) {
      nextDispatch = oldest.arrival;
    }
  }
}
