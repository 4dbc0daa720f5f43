package dev.muster.flowcontrol;

import dev.muster.flowcontrol.config.PriorityLevelSpec;
import dev.muster.flowcontrol.metrics.FlowRefusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The seats and the queues of one level. Safe for any thread: everything is guarded by one lock,
 * which nobody holds for longer than it takes to look at the queues in which somebody waits.
 *
 * <p>Fair queuing for server requests: a meter of work (seats times time, for each active queue)
 * runs while seats are in use. Each queue has the reading at which its next request would be
 * dispatched if all active queues had the same share of the seats. The next request is that which
 * would end first. A dispatched request costs its queue what requests cost on average, and the
 * difference when it has ended and its cost is known.
 *
 * <p>Where there are queues, no more requests run than the cores have use for ({@link
 * RunningRequests}): more of them would wait for the CPU, where who sends most has most.
 */
final class QueueSet {
  /** How long a request is expected to run, until it has. */
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

  /** From now on, it has so many seats and these queues. Queues that are gone still drain. */
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

  /** Lets a request in, or has it wait, or refuses it. */
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
   * A request that ran is answered.
   *
   * @return after how many nanoseconds {@link #release} must follow, 0 when nothing must; -1 when
   *     it does not run
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

  /** The request leaves the CPU to others, and keeps its seats. */
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

  /** Lets in who waits behind requests that have run for too long to be counted. */
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

  /** What followed from an answered request is over. */
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

  /** Takes a request out of its queue. Returns false when it does not wait any more. */
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
   * Until now everything was as it is: the meter runs, and the statistics. It counts seats that are
   * in use, not those that could be (as kube-apiserver's does): while a wide request waits for
   * enough of them, some stay empty, and a meter that counted these would run away from all queues,
   * so that who came first would go first.
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

  /** Ends a period of demand. */
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
