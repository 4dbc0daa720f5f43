package dev.muster.types.table;

import static dev.muster.types.table.Cells.NONE;
import static dev.muster.types.table.Cells.orElse;
import static dev.muster.types.table.Cells.text;

import dev.muster.model.HumanDuration;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;

/** The table of pods. */
public final class PodTable {
  public static final TableSpec SPEC =
      TableSpec.of(
              Cells.name(),
              text(
                  "Ready",
                  "How many of the pod's containers are ready, and how many there are.",
                  pod -> PodState.of(pod).readyText()),
              text(
                  "Status",
                  "What the pod is doing, or why it is not running.",
                  pod -> PodState.of(pod).reason()),
              Cells.timed(
                  "Restarts",
                  "How often containers were restarted, and when the last time was.",
                  (pod, now) -> {
                    var state = PodState.of(pod);
                    var last = state.lastRestart();
                    return Json.of(
                        state.restarts() == 0 || last == null
                            ? Long.toString(state.restarts())
                            : state.restarts() + " (" + HumanDuration.since(last, now) + " ago)");
                  }),
              Cells.age(),
              text("IP", "The pod's first address.", PodTable::address).wide(),
              text(
                      "Node",
                      "The node that the pod runs on.",
                      pod -> orElse(pod.object("spec").string("nodeName"), NONE))
                  .wide(),
              text(
                      "Nominated Node",
                      "The node on which others are evicted to make room for the pod.",
                      pod -> orElse(pod.object("status").string("nominatedNodeName"), NONE))
                  .wide(),
              text(
                      "Readiness Gates",
                      "How many of the pod's further conditions for readiness are met.",
                      PodTable::gates)
                  .wide())
          .withConditions(PodTable::conditions);

  private PodTable() {}

  private static String address(JsonObject pod) {
    var ips = pod.object("status").array("podIPs");
    return orElse(ips.isEmpty() ? "" : ips.object(0).string("ip"), NONE);
  }

  private static String gates(JsonObject pod) {
    var gates = pod.object("spec").array("readinessGates").objects();
    if (gates.isEmpty()) {
      return NONE;
    }
    long met =
        gates.stream()
            .filter(
                gate -> Cells.hasTrueCondition(pod.object("status"), gate.string("conditionType")))
            .count();
    return met + "/" + gates.size();
  }

  private static JsonArray conditions(JsonObject pod) {
    var phase = pod.object("status").string("phase");
    return switch (phase) {
      case "Succeeded" -> completed(phase, "The pod has completed successfully.");
      case "Failed" -> completed(phase, "The pod failed.");
      default -> JsonArray.EMPTY;
    };
  }

  private static JsonArray completed(String reason, String message) {
    return JsonArray.of(
        JsonObject.of("type", "Completed", "status", "True", "reason", reason, "message", message));
  }
}
