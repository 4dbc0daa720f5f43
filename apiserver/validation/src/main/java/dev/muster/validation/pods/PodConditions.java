package dev.muster.validation.pods;

import dev.muster.model.Timestamps;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import java.time.Instant;

/** Reads and sets the conditions of a pod, one of each type. */
public final class PodConditions {
  private PodConditions() {}

  /**
   * The status with that condition set. The transition time stays if the condition's status does
   * not change.
   */
  public static JsonObject with(JsonObject status, JsonObject condition, Instant now) {
    return with(status, condition, Timestamps.format(now));
  }

  /** Like the other overload, with a formatted time. */
  public static JsonObject with(JsonObject status, JsonObject condition, String now) {
    var conditions = status.array("conditions");
    var timed = condition.with("lastProbeTime", JsonNull.NULL).with("lastTransitionTime", now);
    for (int i = 0; i < conditions.size(); i++) {
      var old = conditions.object(i);
      if (old.string("type").equals(condition.string("type"))) {
        var since = old.get("lastTransitionTime");
        boolean same = old.string("status").equals(condition.string("status"));
        var kept = same && since != null ? timed.with("lastTransitionTime", since) : timed;
        return status.with("conditions", conditions.with(i, kept));
      }
    }
    return status.with("conditions", conditions.plus(timed));
  }

  /** The status of the condition of that type, or "". */
  public static String status(JsonObject pod, String type) {
    for (var condition : pod.object("status").array("conditions").objects()) {
      if (condition.string("type").equals(type)) {
        return condition.string("status");
      }
    }
    return "";
  }
}
