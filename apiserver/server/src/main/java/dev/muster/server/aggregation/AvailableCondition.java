package dev.muster.server.aggregation;

import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;

/** The {@code Available} condition of an APIService, with the reasons of kube-apiserver. */
record AvailableCondition(boolean available, String reason, String message) {
  static final AvailableCondition PASSED =
      new AvailableCondition(true, "Passed", "all checks passed");
  static final AvailableCondition LOCAL =
      new AvailableCondition(true, "Local", "Local APIServices are always available");

  private static final String TYPE = "Available";

  static AvailableCondition failed(String reason, String message) {
    return new AvailableCondition(false, reason, message);
  }

  static boolean isTrue(JsonObject apiService) {
    return current(apiService).string("status").equals("True");
  }

  /** The current condition of the APIService; empty when it was never checked. */
  static JsonObject current(JsonObject apiService) {
    for (var condition : apiService.object("status").array("conditions").objects()) {
      if (condition.string("type").equals(TYPE)) {
        return condition;
      }
    }
    return JsonObject.EMPTY;
  }

  private String status() {
    return available ? "True" : "False";
  }

  /** Whether the APIService has this condition, with the same message. */
  boolean isIn(JsonObject apiService) {
    return hasReasonIn(apiService) && current(apiService).string("message").equals(message);
  }

  /** Whether the APIService has this condition, with any message. */
  boolean hasReasonIn(JsonObject apiService) {
    var condition = current(apiService);
    return condition.string("status").equals(status()) && condition.string("reason").equals(reason);
  }

  /** The APIService with this condition; its transition time changes only with its status. */
  JsonObject in(JsonObject apiService, Instant now) {
    var old = current(apiService);
    var since =
        old.string("status").equals(status())
            ? old.string("lastTransitionTime")
            : now.truncatedTo(ChronoUnit.SECONDS).toString();
    var condition =
        JsonObject.of(
            "type", TYPE,
            "status", status(),
            "lastTransitionTime", since,
            "reason", reason,
            "message", message);
    var conditions = new ArrayList<JsonObject>();
    boolean replaced = false;
    for (var other : apiService.object("status").array("conditions").objects()) {
      boolean same = other.string("type").equals(TYPE);
      conditions.add(same ? condition : other);
      replaced |= same;
    }
    if (!replaced) {
      conditions.add(condition);
    }
    return apiService.with(
        "status", apiService.object("status").with("conditions", JsonArray.of(conditions)));
  }
}
