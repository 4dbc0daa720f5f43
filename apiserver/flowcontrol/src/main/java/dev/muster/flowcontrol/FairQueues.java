package dev.muster.flowcontrol;

import dev.muster.flowcontrol.config.PriorityLevelSpec.Queuing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The queues of a priority level and the choice of the next one to serve. The lock of its {@link
 * QueueSet} guards it. A queue is created when a flow is first dealt it, because a level may be
 * configured with millions.
 */
final class FairQueues {
  private @Nullable Queuing queuing;
  private @Nullable Dealer dealer;
  private @Nullable FlowQueue[] queues = {};
  private @Nullable FlowQueue firstWaiting;
  private @Nullable SeatRequest queueless;
  private int active;
  private int lastDispatched;
  private int deals;

  /** Changes the configuration. Removed queues receive no more requests and drain. */
  void configure(@Nullable Queuing changed) {
    if (changed == null) {
      dealer = null;
    } else if (dealer == null || !changed.equals(queuing)) {
      dealer = new Dealer(changed.queues(), changed.handSize());
      queues = Arrays.copyOf(queues, changed.queues());
    }
    queuing = changed;
  }

  /**
   * Whether the queue accepts no more requests. Requests that wait although seats are free wait
   * only for the CPU, so each queue of a hand may exceed its limit by its part of them.
   *
   * @param freeSeats the number of unused seats
   */
  boolean isFull(FlowQueue queue, int freeSeats) {
    if (queuing == null) {
      return true;
    }
    int beside = Math.ceilDiv(Math.max(0, freeSeats), queuing.handSize());
    return queue.length >= queuing.lengthLimit() + beside;
  }

  /** The number of queues with waiting or running requests. */
  int active() {
    return active;
  }

  /**
   * The queue of a flow's hand with the least waiting work, with ties broken in rotation; null when
   * there are no queues.
   */
  @Nullable FlowQueue choose(Flow flow) {
    var dealt = dealer;
    if (dealt == null) {
      return null;
    }
    var hand = flow.hand(dealt);
    int offset = Math.floorMod(deals++, hand.length);
    FlowQueue best = null;
    for (int i = 0; i < hand.length; i++) {
      int index = hand[(offset + i) % hand.length];
      var queue = queues[index];
      if (queue == null) {
        queue = new FlowQueue(index);
        queues[index] = queue;
      }
      if (best == null || queue.workWaiting < best.workWaiting) {
        best = queue;
      }
    }
    return best;
  }

  void enqueue(SeatRequest request, FlowQueue queue, long meter) {
    if (!queue.isActive()) {
      queue.nextDispatch = meter;
      active++;
    }
    if (queue.length == 0) {
      queue.before = null;
      queue.after = firstWaiting;
      if (firstWaiting != null) {
        firstWaiting.before = queue;
      }
      firstWaiting = queue;
    }
    queue.enqueue(request);
    queue.bound();
  }

  void dequeue(SeatRequest request, FlowQueue queue) {
    queue.remove(request);
    if (queue.length == 0) {
      if (queue.before == null) {
        firstWaiting = queue.after;
      } else {
        queue.before.after = queue.after;
      }
      if (queue.after != null) {
        queue.after.before = queue.before;
      }
      queue.before = null;
      queue.after = null;
    }
    if (!queue.isActive()) {
      active--;
    }
  }

  /**
   * The queue whose first request would end first; among equals, the next one after the last
   * served. Requires a waiting request.
   */
  FlowQueue next(LevelUsage usage) {
    FlowQueue best = null;
    long bestEnd = 0;
    for (var queue = firstWaiting; queue != null; queue = queue.after) {
      long end = queue.nextDispatch + Objects.requireNonNull(queue.first).totalWork();
      usage.considered(queue.nextDispatch, queue.seatsInUse, best == null);
      if (best == null
          || end - bestEnd < 0
          || (end == bestEnd && distance(queue) < distance(best))) {
        best = queue;
        bestEnd = end;
      }
    }
    return Objects.requireNonNull(best);
  }

  private int distance(FlowQueue queue) {
    return Math.floorMod(queue.index - lastDispatched - 1, Math.max(1, queues.length));
  }

  void dispatchedFrom(FlowQueue queue) {
    lastDispatched = queue.index;
  }

  /** Starts a request and charges its queue with the expected cost. */
  void execute(SeatRequest request) {
    var queue = request.queue;
    if (queue == null) {
      request.after = queueless;
      queueless = request;
    } else {
      if (!queue.isActive()) {
        active++;
      }
      request.after = queue.firstExecuting;
      queue.firstExecuting = request;
      queue.executing++;
      queue.seatsInUse += request.work().maxSeats();
      queue.nextDispatch += request.totalWork();
    }
    if (request.after != null) {
      request.after.before = request;
    }
  }

  /** Replaces the expected cost of a request by the actual cost. */
  void finish(SeatRequest request, long ran) {
    unlink(request);
    var queue = request.queue;
    if (queue != null) {
      queue.executing--;
      queue.nextDispatch -= request.work().initialSeats() * (QueueSet.SERVICE_NANOS - ran);
      queue.bound();
      if (!queue.isActive()) {
        active--;
      }
    }
  }

  private void unlink(SeatRequest request) {
    var queue = request.queue;
    if (request.before != null) {
      request.before.after = request.after;
    } else if (queue != null) {
      queue.firstExecuting = request.after;
    } else {
      queueless = request.after;
    }
    if (request.after != null) {
      request.after.before = request.before;
    }
    request.before = null;
    request.after = null;
  }

  /** The running requests that came from no queue. */
  List<LevelDump.Row> queueless() {
    return LevelDump.Row.chain(queueless, -1);
  }

  List<LevelDump.Queue> dump() {
    var rows = new ArrayList<LevelDump.Queue>();
    for (int i = 0; i < queues.length && dealer != null; i++) {
      rows.add(LevelDump.Queue.of(i, queues[i]));
    }
    return rows;
  }
}
