package dev.muster.flowcontrol;

import dev.muster.model.gocompat.GoDuration;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongFunction;

/** Formats levels, queues and requests as tables, with the columns of kube-apiserver. */
public final class FlowDumps {
  private static final String ZERO_TIME = "0001-01-01T00:00:00Z";

  private FlowDumps() {}

  public static String levels(List<LevelDump> levels) {
    var table = new ArrayList<List<String>>();
    table.add(
        List.of(
            "PriorityLevelName",
            "ActiveQueues",
            "IsIdle",
            "IsQuiescing",
            "WaitingRequests",
            "ExecutingRequests",
            "DispatchedRequests",
            "RejectedRequests",
            "TimedoutRequests",
            "CancelledRequests"));
    for (var level : levels) {
      table.add(
          row(
              level.name(),
              level.busyQueues(),
              level.idle(),
              level.quiescing(),
              level.waiting(),
              level.executing(),
              level.dispatched(),
              level.refused(),
              level.timedOut(),
              level.cancelled()));
    }
    return text(table);
  }

  public static String queues(List<LevelDump> levels) {
    var table = new ArrayList<List<String>>();
    table.add(
        List.of(
            "PriorityLevelName",
            "Index",
            "PendingRequests",
            "ExecutingRequests",
            "SeatsInUse",
            "NextDispatchR",
            "InitialSeatsSum",
            "MaxSeatsSum",
            "TotalWorkSum"));
    for (var level : levels) {
      for (var queue : level.queues()) {
        table.add(
            row(
                level.name(),
                queue.index(),
                queue.waiting().size(),
                queue.executing(),
                queue.seatsInUse(),
                work(queue.nextDispatch()),
                queue.initialSeats(),
                queue.maxSeats(),
                work(queue.work())));
      }
    }
    return text(table);
  }

  /**
   * @param time converts clock readings, of which only differences have a meaning, to wall-clock
   *     time
   * @param detailed whether to include the user and the target of requests
   */
  public static String requests(
      List<LevelDump> levels, LongFunction<Instant> time, boolean detailed) {
    var table = new ArrayList<List<String>>();
    var head =
        new ArrayList<>(
            List.of(
                "PriorityLevelName",
                "FlowSchemaName",
                "QueueIndex",
                "RequestIndexInQueue",
                "FlowDistingsher",
                "ArriveTime",
                "InitialSeats",
                "FinalSeats",
                "AdditionalLatency",
                "StartTime"));
    if (detailed) {
      head.addAll(
          List.of(
              "UserName",
              "Verb",
              "APIPath",
              "Namespace",
              "Name",
              "APIVersion",
              "Resource",
              "SubResource"));
    }
    table.add(head);
    for (var level : levels) {
      for (var queue : level.queues()) {
        queue.waiting().forEach(one -> table.add(row(level, queue.index(), one, time, detailed)));
        queue.running().forEach(one -> table.add(row(level, queue.index(), one, time, detailed)));
      }
      level.queueless().forEach(one -> table.add(row(level, -1, one, time, detailed)));
    }
    return text(table);
  }

  private static List<String> row(
      LevelDump level,
      int queue,
      LevelDump.Row request,
      LongFunction<Instant> time,
      boolean detailed) {
    var row =
        new ArrayList<>(
            row(
                level.name(),
                request.schema(),
                queue,
                request.position(),
                request.distinguisher(),
                DateTimeFormatter.ISO_INSTANT.format(time.apply(request.arrivedAt())),
                request.work().initialSeats(),
                request.work().finalSeats(),
                GoDuration.format(Duration.ofNanos(request.work().lingering())),
                request.position() >= 0
                    ? ZERO_TIME
                    : DateTimeFormatter.ISO_INSTANT.format(time.apply(request.startedAt()))));
    if (detailed) {
      var asked = request.attributes();
      row.addAll(
          List.of(
              asked.user().name(),
              asked.verb(),
              request.path(),
              asked.namespace(),
              asked.name(),
              asked.group().isEmpty() ? asked.version() : asked.group() + "/" + asked.version(),
              asked.resource(),
              asked.subresource()));
    }
    return row;
  }

  private static List<String> row(Object... cells) {
    return List.of(cells).stream().map(Object::toString).toList();
  }

  /** In seat-seconds. */
  private static String work(long seatNanos) {
    long whole = Long.divideUnsigned(seatNanos, 1_000_000_000);
    long rest = Long.remainderUnsigned(seatNanos, 1_000_000_000);
    return String.format(Locale.ROOT, "%d.%08dss", whole, rest / 10);
  }

  /** Columns of at least eight characters, padded to the widest cell and a blank. */
  private static String text(List<List<String>> table) {
    int columns = table.getFirst().size();
    var widths = new int[columns];
    for (var row : table) {
      for (int i = 0; i < columns - 1; i++) {
        widths[i] = Math.max(widths[i], Math.max(8, row.get(i).length() + 2));
      }
    }
    var text = new StringBuilder();
    for (var row : table) {
      for (int i = 0; i < columns; i++) {
        text.append(row.get(i));
        if (i < columns - 1) {
          text.append(',').repeat(' ', widths[i] - row.get(i).length() - 1);
        }
      }
      text.append('\n');
    }
    return text.toString();
  }
}
