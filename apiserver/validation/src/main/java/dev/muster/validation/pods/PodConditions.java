package dev.muster.validation.pods;

import dev.muster.model.Timestamps;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import java.time.Instant;

/** The conditions in the status of a pod, one of each type. */
public final class PodConditions {
  private PodConditions() {}

  /**
   * The status with that condition in place of the one of its type, or at the end. The time of the
   * last transition stays when the condition's status does.
   */
  public static JsonObject with(JsonObject status, JsonObject condition, Instant now) {
    return with(status, condition, Timestamps.format(now));
  }

  /** As above, with the time as it is written. */
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
