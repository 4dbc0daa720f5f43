package dev.muster.flowcontrol;

import dev.muster.flowcontrol.config.PriorityLevelSpec;
import dev.muster.flowcontrol.metrics.FlowRefusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The seats and queues of one priority level. Thread-safe: one lock guards everything, and is held
 * only as long as it takes to look at the queues with waiting requests.
 *
 * <p>Fair queuing for server requests works as follows:
 *
 * <ul>
 *   <li>A meter of work (seats times time, per active queue) runs while seats are in use.
 *   <li>Each queue has the reading at which its next request would be dispatched if all active
 *       queues had the same share of the seats.
 *   <li>The next request is the one that would end first.
 *   <li>A dispatched request charges its queue with the average cost of requests, and with the
 *       difference when it has ended and its cost is known.
 * </ul>
 *
 * <p>With queues, the number of running requests is also capped by the number of cores ({@link
 * RunningRequests}). Further requests would only compete for the CPU, where the client with the
 * most requests would win.
 */
final class QueueSet {
  /** The expected time of a request, until its actual time is known. */
  static final long SERVICE_NANOS = 3_000_000;

  private static final List<SeatRequest> NOBODY = List.of();

  final ReentrantLock lock = new ReentrantLock();
  final LevelUsage usage = new LevelUsage();
  final SeatDemand demand = new SeatDemand();

  private final FairQueues queues = new FairQueues();
  private final RunningRequests running;
  private PriorityLevelSpec spec;
  private int limit;
  private long meter;
  private long readAt;
  private int waiting;
  private int executing;
  private int seatsInUse;
  private int seatsWaiting;
  private long dispatchedCount;
  private long refusedCount;
  private long timedOutCount;
  private long cancelledCount;

  QueueSet(PriorityLevelSpec spec, int limit, int running, long now) {
    this.running = new RunningRequests(running);
    this.spec = spec;
    this.readAt = now;
    configure(spec, limit, now);
  }

  /** Changes the number of seats and the queues. Removed queues drain. */
  void configure(PriorityLevelSpec changed, int seats, long now) {
    var letIn = new ArrayList<SeatRequest>();
    lock.lock();
    try {
      advance(now);
      queues.configure(changed.queuing());
      spec = changed;
      limit = seats;
      usage.denominators(changed, seats);
      dispatch(now, letIn);
    } finally {
      lock.unlock();
    }
    letIn.forEach(SeatRequest::dispatched);
  }

  /** Starts a request, lets it wait, or refuses it. */
  SeatRequest.State start(SeatRequest request, FlowStats stats, long now) {
    List<SeatRequest> letIn;
    SeatRequest.State state;
    lock.lock();
    try {
      advance(now);
      request.arrivedAt = now;
      request.arrival = meter;
      int seats = request.work().maxSeats();
      stats.seats.add(seats);
      var queue = queues.choose(request.flow());
      if (queue == null) {
        if (!accommodates(seats)) {
          refuse(request, stats, FlowRefusal.CONCURRENCY_LIMIT, 0);
        } else {
          execute(request, stats, now);
        }
        return request.state;
      }
      request.queue = queue;
      if (waiting == 0 && seatsInUse < limit && accommodates(seats) && running.hasRoom(now)) {
        stats.queueLengths.add(1);
        queue.catchUp(meter);
        request.narrowTo(limit);
        execute(request, stats, now);
        return request.state;
      }
      if (queues.isFull(queue, limit - seatsInUse)) {
        request.queue = null;
        refuse(request, stats, FlowRefusal.QUEUE_FULL, 0);
        return request.state;
      }
      enqueue(request, queue, stats);
      letIn = new ArrayList<>();
      dispatch(now, letIn);
      letIn.remove(request);
      state = request.state;
    } finally {
      lock.unlock();
    }
    letIn.forEach(SeatRequest::dispatched);
    return state;
  }

  private void refuse(SeatRequest request, FlowStats stats, FlowRefusal why, long waited) {
    request.state = SeatRequest.State.REFUSED;
    refusedCount++;
    stats.refused.merge(why, 1L, Long::sum);
    if (!spec.exempt()) {
      stats.waitsToRefusal.add(waited / 1e9);
    }
  }

  private void enqueue(SeatRequest request, FlowQueue queue, FlowStats stats) {
    queues.enqueue(request, queue, meter);
    request.state = SeatRequest.State.WAITING;
    waiting++;
    seatsWaiting += request.work().maxSeats();
    stats.waiting++;
    stats.seatsWaiting += request.work().maxSeats();
    stats.queueLengths.add(queue.length);
    demand.set(seatsInUse + seatsWaiting);
  }

  private void dequeue(SeatRequest request, FlowQueue queue, FlowStats stats) {
    queues.dequeue(request, queue);
    waiting--;
    seatsWaiting -= request.work().maxSeats();
    stats.waiting--;
    stats.seatsWaiting -= request.work().maxSeats();
    demand.set(seatsInUse + seatsWaiting);
  }

  private void dispatch(long now, List<SeatRequest> letIn) {
    while (waiting > 0 && seatsInUse < limit && running.hasRoom(now)) {
      var queue = queues.next(usage);
      var request = Objects.requireNonNull(queue.first);
      var stats = request.flow().schema().stats();
      if (!accommodates(request.work().maxSeats())) {
        stats.noAccommodation++;
        return;
      }
      dequeue(request, queue, stats);
      request.narrowTo(limit);
      queues.dispatchedFrom(queue);
      usage.dispatched(meter, queue.nextDispatch);
      execute(request, stats, now);
      queue.bound();
      letIn.add(request);
    }
  }

  private boolean accommodates(int seats) {
    if (spec.exempt()) {
      return true;
    }
    return seats > limit ? executing == 0 : seatsInUse + seats <= limit;
  }

  private void execute(SeatRequest request, FlowStats stats, long now) {
    int seats = request.work().maxSeats();
    queues.execute(request);
    if (request.queue != null) {
      running.add(request, now);
    }
    request.state = SeatRequest.State.EXECUTING;
    request.startedAt = now;
    executing++;
    seatsInUse += seats;
    dispatchedCount++;
    stats.dispatched++;
    stats.executing++;
    stats.seatsExecuting += seats;
    if (!spec.exempt()) {
      stats.waitsToExecution.add((now - request.arrivedAt) / 1e9);
    }
    demand.set(seatsInUse + seatsWaiting);
  }

  /**
   * Ends a request that ran.
   *
   * @return after how many nanoseconds {@link #release} must follow; 0 when it need not; -1 when
   *     the request does not run
   */
  long finish(SeatRequest request, FlowStats stats, long now) {
    var letIn = NOBODY;
    long lingering;
    lock.lock();
    try {
      if (request.state != SeatRequest.State.EXECUTING) {
        return -1;
      }
      advance(now);
      running.remove(request);
      executing--;
      stats.executing--;
      long ran = now - request.startedAt;
      boolean watch = request.attributes().verb().equals("watch");
      (watch ? stats.watchExecutions : stats.executions).add(ran / 1e9);
      queues.finish(request, ran);
      lingering = request.work().lingering();
      if (lingering > 0) {
        request.state = SeatRequest.State.LINGERING;
      } else {
        free(request, stats);
      }
      if (waiting > 0) {
        letIn = new ArrayList<>();
        dispatch(now, letIn);
      }
    } finally {
      lock.unlock();
    }
    letIn.forEach(SeatRequest::dispatched);
    return lingering;
  }

  /** The request stops using the CPU and keeps its seats. */
  void pause(SeatRequest request, long now) {
    var letIn = NOBODY;
    lock.lock();
    try {
      if (running.remove(request) && waiting > 0) {
        advance(now);
        letIn = new ArrayList<>();
        dispatch(now, letIn);
      }
    } finally {
      lock.unlock();
    }
    letIn.forEach(SeatRequest::dispatched);
  }

  /**
   * Starts requests that wait behind requests that have run for too long to be counted as running.
   */
  void passOverdue(long now) {
    var letIn = new ArrayList<SeatRequest>();
    lock.lock();
    try {
      if (waiting > 0) {
        advance(now);
        dispatch(now, letIn);
      }
    } finally {
      lock.unlock();
    }
    letIn.forEach(SeatRequest::dispatched);
  }

  void resume(SeatRequest request, long now) {
    lock.lock();
    try {
      if (request.state == SeatRequest.State.EXECUTING && request.queue != null) {
        running.add(request, now);
      }
    } finally {
      lock.unlock();
    }
  }

  private void free(SeatRequest request, FlowStats stats) {
    int seats = request.work().maxSeats();
    request.state = SeatRequest.State.DONE;
    seatsInUse -= seats;
    stats.seatsExecuting -= seats;
    if (request.queue != null) {
      request.queue.seatsInUse -= seats;
    }
    demand.set(seatsInUse + seatsWaiting);
  }

  /** Releases the seats that an answered request still held for its consequences. */
  void release(SeatRequest request, FlowStats stats, long now) {
    var letIn = new ArrayList<SeatRequest>();
    lock.lock();
    try {
      if (request.state == SeatRequest.State.LINGERING) {
        advance(now);
        free(request, stats);
        dispatch(now, letIn);
      }
    } finally {
      lock.unlock();
    }
    letIn.forEach(SeatRequest::dispatched);
  }

  /** Removes a request from its queue. Returns false when it no longer waits. */
  boolean cancel(SeatRequest request, FlowStats stats, FlowRefusal why, long now) {
    var letIn = new ArrayList<SeatRequest>();
    lock.lock();
    try {
      if (request.state != SeatRequest.State.WAITING) {
        return false;
      }
      advance(now);
      var queue = Objects.requireNonNull(request.queue);
      dequeue(request, queue, stats);
      queue.bound();
      refuse(request, stats, why, now - request.arrivedAt);
      if (why == FlowRefusal.TIME_OUT) {
        timedOutCount++;
      } else {
        cancelledCount++;
      }
      dispatch(now, letIn);
    } finally {
      lock.unlock();
    }
    letIn.forEach(SeatRequest::dispatched);
    return true;
  }

  /**
   * Advances the meter and the statistics to this moment. The meter counts seats in use, not
   * possible ones as in kube-apiserver. While a wide request waits for enough seats, some stay
   * empty. A meter that counted these would run away from all queues and make the order first come,
   * first served.
   */
  private void advance(long now) {
    long elapsed = now - readAt;
    if (elapsed <= 0) {
      return;
    }
    readAt = now;
    int active = queues.active();
    if (active > 0) {
      meter += Math.round((double) seatsInUse / active * elapsed);
    }
    demand.advance(elapsed);
    usage.advance(elapsed, waiting, executing, seatsInUse, seatsWaiting);
  }

  /** Ends a period of the demand statistics. */
  SeatDemand.Summary endPeriod(long now) {
    lock.lock();
    try {
      advance(now);
      return demand.endPeriod();
    } finally {
      lock.unlock();
    }
  }

  long meter(long now) {
    lock.lock();
    try {
      advance(now);
      return meter;
    } finally {
      lock.unlock();
    }
  }

  boolean isIdle() {
    lock.lock();
    try {
      return waiting == 0 && executing == 0;
    } finally {
      lock.unlock();
    }
  }

  /** Everything at one moment. */
  LevelDump dump(boolean quiescing, long now) {
    lock.lock();
    try {
      advance(now);
      var rows = queues.dump();
      return new LevelDump(
          spec.name(),
          (int) rows.stream().filter(queue -> !queue.waiting().isEmpty()).count(),
          waiting == 0 && executing == 0,
          quiescing,
          waiting,
          executing,
          dispatchedCount,
          refusedCount,
          timedOutCount,
          cancelledCount,
          meter,
          rows,
          queues.queueless());
    } finally {
      lock.unlock();
    }
  }
}
