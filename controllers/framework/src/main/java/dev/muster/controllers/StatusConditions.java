package dev.muster.controllers;

import dev.muster.model.Timestamps;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;

/** Reads and changes the conditions in an object's status. */
public final class StatusConditions {
  private StatusConditions() {}

  /** The condition of that type, or an empty object. */
  public static JsonObject find(JsonArray conditions, String type) {
    return conditions.objects().stream()
        .filter(condition -> condition.string("type").equals(type))
        .findFirst()
        .orElse(JsonObject.EMPTY);
  }

  public static boolean isTrue(JsonArray conditions, String type) {
    return find(conditions, type).string("status").equals("True");
  }

  /**
   * Sets one condition. {@code lastTransitionTime} only changes with the condition's status.
   *
   * @param condition with a type, a status and optional further fields
   */
  public static JsonArray with(JsonArray conditions, JsonObject condition, Instant now) {
    var type = condition.string("type");
    var before = find(conditions, type);
    var since =
        before.string("status").equals(condition.string("status"))
                && before.has("lastTransitionTime")
            ? before.string("lastTransitionTime")
            : Timestamps.format(now);
    var set = condition.with("lastTransitionTime", since);
    var next = new ArrayList<Json>();
    boolean found = false;
    for (var one : conditions.objects()) {
      boolean same = one.string("type").equals(type);
      next.add(same ? set : one);
      found |= same;
    }
    if (!found) {
      next.add(set);
    }
    return JsonArray.of(next);
  }
}
