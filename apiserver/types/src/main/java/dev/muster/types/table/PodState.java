package dev.muster.types.table;

import dev.muster.model.Timestamps;
import dev.muster.model.json.JsonObject;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The summary of a pod in its table row: a word for its state, ready containers, and restarts.
 *
 * @param lastRestart when the last of the counted restarts happened; null when it is unknown
 */
record PodState(int ready, int total, String reason, long restarts, @Nullable Instant lastRestart) {

  String readyText() {
    return ready + "/" + total;
  }

  static PodState of(JsonObject pod) {
    return new Reader(pod).read();
  }

  /** Computes the summary from the containers of one pod. */
  private static final class Reader {
    private final JsonObject pod;
    private final JsonObject spec;
    private final JsonObject status;
    private final HashSet<String> sidecars = new HashSet<>();
    private String reason;
    private int ready;
    private long restarts;
    private @Nullable Instant last;
    private long sidecarRestarts;
    private @Nullable Instant lastOfSidecars;

    Reader(JsonObject pod) {
      this.pod = pod;
      spec = pod.object("spec");
      status = pod.object("status");
      reason = status.string("reason").isEmpty() ? status.string("phase") : status.string("reason");
    }

    PodState read() {
      for (var condition : status.array("conditions").objects()) {
        if (condition.string("type").equals("PodScheduled")
            && condition.string("reason").equals("SchedulingGated")) {
          reason = "SchedulingGated";
        }
      }
      for (var container : spec.array("initContainers").objects()) {
        if (container.string("restartPolicy").equals("Always")) {
          sidecars.add(container.string("name"));
        }
      }
      if (!initializing() || Cells.hasTrueCondition(status, "Initialized")) {
        restarts = sidecarRestarts;
        last = lastOfSidecars;
        containers();
      }
      if (pod.object("metadata").has("deletionTimestamp")) {
        var phase = status.string("phase");
        if (status.string("reason").equals("NodeLost")) {
          reason = "Unknown";
        } else if (!phase.equals("Succeeded") && !phase.equals("Failed")) {
          reason = "Terminating";
        }
      }
      int total = spec.array("containers").size() + sidecars.size();
      return new PodState(ready, total, reason, restarts, last);
    }

    /** Whether an init container has not finished or not started yet. */
    private boolean initializing() {
      var statuses = status.array("initContainerStatuses").objects();
      for (int i = 0; i < statuses.size(); i++) {
        var container = statuses.get(i);
        boolean sidecar = sidecars.contains(container.string("name"));
        var ended = lastEnd(container);
        restarts += container.integer("restartCount", 0);
        last = later(last, ended);
        if (sidecar) {
          sidecarRestarts += container.integer("restartCount", 0);
          lastOfSidecars = later(lastOfSidecars, ended);
        }
        var state = container.object("state");
        var terminated = state.object("terminated");
        if (state.has("terminated") && terminated.integer("exitCode", 0) == 0) {
          continue;
        }
        if (sidecar && container.isTrue("started")) {
          ready += container.isTrue("ready") ? 1 : 0;
          continue;
        }
        var waiting = state.object("waiting").string("reason");
        if (state.has("terminated")) {
          reason = "Init:" + ending(terminated);
        } else if (!waiting.isEmpty() && !waiting.equals("PodInitializing")) {
          reason = "Init:" + waiting;
        } else {
          reason = "Init:" + i + "/" + spec.array("initContainers").size();
        }
        return true;
      }
      return false;
    }

    private void containers() {
      boolean running = false;
      var error = "";
      for (var container : reversed(status.array("containerStatuses").objects())) {
        restarts += container.integer("restartCount", 0);
        last = later(last, lastEnd(container));
        var state = container.object("state");
        var waiting = state.object("waiting").string("reason");
        if (!waiting.isEmpty()) {
          reason = waiting;
        } else if (state.has("terminated")) {
          reason = ending(state.object("terminated"));
          if (state.object("terminated").integer("exitCode", 0) != 0) {
            error = reason;
          }
        } else if (container.isTrue("ready") && state.has("running")) {
          running = true;
          ready++;
        }
      }
      if (reason.equals("Completed")) {
        if (running && isReady()) {
          reason = "Running";
        } else if (!error.isEmpty()) {
          reason = error;
        } else if (running) {
          reason = "NotReady";
        }
      }
    }

    private boolean isReady() {
      return status.array("conditions").objects().stream()
          .anyMatch(
              condition ->
                  condition.string("type").equals("Ready")
                      && condition.string("status").equals("True"));
    }

    private static List<JsonObject> reversed(List<JsonObject> list) {
      return list.reversed();
    }

    private static String ending(JsonObject terminated) {
      if (!terminated.string("reason").isEmpty()) {
        return terminated.string("reason");
      }
      long signal = terminated.integer("signal", 0);
      return signal != 0 ? "Signal:" + signal : "ExitCode:" + terminated.integer("exitCode", 0);
    }

    private static @Nullable Instant lastEnd(JsonObject container) {
      return Timestamps.read(container.at("lastState", "terminated", "finishedAt"));
    }

    private static @Nullable Instant later(@Nullable Instant one, @Nullable Instant other) {
      return one == null || (other != null && one.isBefore(other)) ? other : one;
    }
  }
}
