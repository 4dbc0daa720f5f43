package dev.muster.controllers.disruption;

import dev.muster.controllers.StatusConditions;
import dev.muster.model.Timestamps;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonInteger;
import dev.muster.model.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The evictions that a PodDisruptionBudget allows now.
 *
 * @param disrupted pods whose eviction was granted and that still exist
 * @param recheck when the first of those stops counting as disrupted
 */
record DisruptionBudget(
    long healthy, long desired, long expected, JsonObject disrupted, Optional<Instant> recheck) {
  /** After this time without deletion, a granted eviction counts as failed. */
  static final Duration DELETION_TIMEOUT = Duration.ofMinutes(2);

  /** Whether the expected number of pods depends on the scale of the pods' controllers. */
  static boolean needsScale(JsonObject budget) {
    var spec = budget.object("spec");
    return spec.has("maxUnavailable")
        || (spec.has("minAvailable") && !(spec.get("minAvailable") instanceof JsonInteger));
  }

  /**
   * @param pods the pods that the budget selects
   * @param scale the number of pods that their controllers want together
   */
  static DisruptionBudget of(JsonObject budget, List<JsonObject> pods, long scale, Instant now) {
    var spec = budget.object("spec");
    long expected = needsScale(budget) ? scale : pods.size();
    long desired = 0;
    if (spec.has("maxUnavailable")) {
      desired = Math.max(0, expected - scaled(spec.get("maxUnavailable"), expected));
    } else if (spec.has("minAvailable")) {
      desired = scaled(spec.get("minAvailable"), expected);
    } else {
      expected = 0;
    }
    var granted = budget.object("status", "disruptedPods");
    var disrupted = JsonObject.builder();
    @Nullable Instant recheck = null;
    long healthy = 0;
    for (var pod : pods) {
      var metadata = pod.object("metadata");
      if (metadata.has("deletionTimestamp")) {
        continue;
      }
      var name = metadata.string("name");
      var since = Timestamps.read(granted.get(name));
      var end = since == null ? null : since.plus(DELETION_TIMEOUT);
      if (end != null && !end.isBefore(now)) {
        disrupted.put(name, granted.string(name));
        recheck = recheck == null || end.isBefore(recheck) ? end : recheck;
      } else if (StatusConditions.isTrue(pod.object("status").array("conditions"), "Ready")) {
        healthy++;
      }
    }
    return new DisruptionBudget(
        healthy, desired, expected, disrupted.build(), Optional.ofNullable(recheck));
  }

  /** A number, or a percentage of the whole, rounded up. */
  static long scaled(@Nullable Json value, long whole) {
    if (value instanceof JsonInteger number) {
      return number.value();
    }
    var text = value == null ? null : value.text();
    if (text == null || !text.matches("\\d{1,9}%")) {
      throw new IllegalArgumentException("invalid value for IntOrString: " + value);
    }
    long percent = Long.parseLong(text.substring(0, text.length() - 1));
    return Math.ceilDiv(percent * whole, 100);
  }

  long allowed() {
    return expected <= 0 ? 0 : Math.max(0, healthy - desired);
  }

  /** The status of the budget. */
  JsonObject status(JsonObject budget, Instant now) {
    var before = budget.object("status");
    long generation = budget.object("metadata").integer("generation", 0);
    boolean some = allowed() > 0;
    var condition =
        JsonObject.of(
            "type",
            "DisruptionAllowed",
            "status",
            some ? "True" : "False",
            "observedGeneration",
            generation,
            "reason",
            some ? "SufficientPods" : "InsufficientPods",
            "message",
            "");
    var status =
        JsonObject.builder()
            .put("observedGeneration", generation)
            .put("disruptionsAllowed", allowed())
            .put("currentHealthy", healthy)
            .put("desiredHealthy", desired)
            .put("expectedPods", expected)
            .put("conditions", StatusConditions.with(before.array("conditions"), condition, now));
    if (!disrupted.isEmpty()) {
      status.put("disruptedPods", disrupted);
    }
    return status.build();
  }

  /** The status after an error, which allows no evictions. */
  static JsonObject failed(JsonObject budget, String why, Instant now) {
    var before = budget.object("status");
    var condition =
        JsonObject.of(
            "type", "DisruptionAllowed",
            "status", "False",
            "observedGeneration", before.integer("observedGeneration", 0),
            "reason", "SyncFailed",
            "message", why);
    return before
        .with("disruptionsAllowed", 0)
        .with("conditions", StatusConditions.with(before.array("conditions"), condition, now));
  }
}
