package dev.muster.server.aggregation;

import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;

/** Whether an APIService can be asked for something, and why, in the words of kube-apiserver. */
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

  /** The condition that the APIService has; empty when nobody has looked yet. */
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

  /** Whether the APIService says so already, in these words. */
  boolean isIn(JsonObject apiService) {
    return hasReasonIn(apiService) && current(apiService).string("message").equals(message);
  }

  /** Whether the APIService says so already, in whatever words. */
  boolean hasReasonIn(JsonObject apiService) {
    var condition = current(apiService);
    return condition.string("status").equals(status()) && condition.string("reason").equals(reason);
  }

  /** The APIService with this condition; its time changes only when its status does. */
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
