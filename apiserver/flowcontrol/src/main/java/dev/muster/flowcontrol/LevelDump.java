package dev.muster.flowcontrol;

import dev.muster.authorization.Attributes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A priority level with its queues and requests at one moment.
 *
 * @param busyQueues the number of queues with waiting requests
 * @param meter in seat-nanoseconds
 * @param queueless running requests that came from no queue
 */
public record LevelDump(
    String name,
    int busyQueues,
    boolean idle,
    boolean quiescing,
    int waiting,
    int executing,
    long dispatched,
    long refused,
    long timedOut,
    long cancelled,
    long meter,
    List<Queue> queues,
    List<Row> queueless) {

  /** One queue. */
  public record Queue(
      int index,
      int executing,
      int seatsInUse,
      long nextDispatch,
      int initialSeats,
      int maxSeats,
      long work,
      List<Row> waiting,
      List<Row> running) {

    static Queue of(int index, @Nullable FlowQueue queue) {
      return queue == null
          ? new Queue(index, 0, 0, 0, 0, 0, 0, List.of(), List.of())
          : new Queue(
              index,
              queue.executing,
              queue.seatsInUse,
              queue.nextDispatch,
              queue.initialSeatsWaiting,
              queue.maxSeatsWaiting,
              queue.workWaiting,
              Row.chain(queue.first, 0),
              Row.chain(queue.firstExecuting, -1));
    }
  }

  /**
   * One request.
   *
   * @param position in its queue; -1 when it runs
   * @param startedAt 0 when it waits
   */
  public record Row(
      String schema,
      int position,
      String distinguisher,
      long arrivedAt,
      WorkEstimate work,
      long startedAt,
      Attributes attributes,
      String path) {

    static List<Row> chain(@Nullable SeatRequest first, int position) {
      var rows = new ArrayList<Row>();
      for (var request = first; request != null; request = request.after) {
        rows.add(
            new Row(
                request.flow().schema().schema().name(),
                position < 0 ? -1 : rows.size(),
                request.flow().distinguisher(),
                request.arrivedAt,
                request.work(),
                position < 0 ? request.startedAt : 0,
                request.attributes(),
                request.path()));
      }
      return rows;
    }
  }
}
