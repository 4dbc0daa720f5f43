package dev.muster.registry.pods;

import dev.muster.model.GroupResource;
import dev.muster.model.MalformedValueException;
import dev.muster.model.Timestamps;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.select.LabelSelector;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.model.status.StatusDetails;
import dev.muster.types.ObjectMeta;
import java.time.Instant;
import java.util.List;

/** A PodDisruptionBudget, and whether it allows one more eviction. Immutable. */
record Budget(JsonObject object) {
  private static final int MOST_DISRUPTED = 2000;
  private static final String REFUSED =
      "Cannot evict pod as it would violate the pod's disruption budget.";
  private static final String CAUSE = "DisruptionBudget";
  private static final String ALLOWED = "DisruptionAllowed";
  private static final GroupResource RESOURCE = new GroupResource("policy", "poddisruptionbudget");

  private JsonObject status() {
    return object.object("status");
  }

  private String name() {
    return ObjectMeta.name(object);
  }

  /**
   * Whether the budget applies to a pod with these labels. A budget without a selector applies to
   * none.
   */
  boolean covers(JsonObject labels) {
    try {
      return object.object("spec").get("selector") instanceof JsonObject selector
          && LabelSelector.ofObject(selector).matches(labels);
    } catch (MalformedValueException e) {
      return false;
    }
  }

  /** Whether the pod can be evicted without being counted, because it is not ready. */
  boolean lets(boolean ready) {
    if (ready) {
      return false;
    }
    long desired = status().integer("desiredHealthy", 0);
    return object.object("spec").string("unhealthyPodEvictionPolicy").equals("AlwaysAllow")
        || (desired > 0 && status().integer("currentHealthy", 0) >= desired);
  }

  /**
   * The budget after the eviction of that pod, with the pod in {@code disruptedPods} for the
   * disruption controller.
   *
   * @throws ApiException when the budget allows no eviction now
   */
  JsonObject without(String pod, Instant now) {
    if (status().integer("observedGeneration", 0) < ObjectMeta.generation(object)) {
      throw unprocessed();
    }
    long allowed = status().integer("disruptionsAllowed", 0);
    if (allowed < 0) {
      throw ApiException.forbidden(RESOURCE, name(), "pdb disruptions allowed is negative");
    }
    if (status().object("disruptedPods").size() > MOST_DISRUPTED) {
      throw ApiException.forbidden(
          RESOURCE,
          name(),
          "DisruptedPods map too big - too many evictions not confirmed by PDB controller");
    }
    if (allowed == 0) {
      throw busy("The disruption budget " + name() + " " + why(), 0);
    }
    var status = status().with("disruptionsAllowed", allowed - 1);
    if (allowed == 1) {
      status = exhausted(status, now);
    }
    var disrupted = status.object("disruptedPods").with(pod, Timestamps.format(now));
    return object.with("status", status.with("disruptedPods", disrupted));
  }

  /**
   * The error response while the disruption controller has not processed the budget yet; the client
   * may retry.
   */
  ApiException unprocessed() {
    return busy("The disruption budget " + name() + " is still being processed by the server.", 10);
  }

  private String why() {
    var condition = condition(status().array("conditions"));
    boolean refuses =
        condition.string("status").equals("False") && !condition.string("message").isEmpty();
    long desired = status().integer("desiredHealthy", 0);
    long healthy = status().integer("currentHealthy", 0);
    if (refuses && condition.string("reason").equals("SyncFailed")) {
      return "does not allow evicting pods currently because it failed sync: "
          + condition.string("message");
    }
    if (healthy <= desired) {
      return "needs " + desired + " healthy pods and has " + healthy + " currently";
    }
    return refuses
        ? "does not allow evicting pods currently ("
            + condition.string("reason")
            + "): "
            + condition.string("message")
        : "does not allow evicting pods currently";
  }

  private static JsonObject condition(JsonArray conditions) {
    for (var condition : conditions.objects()) {
      if (condition.string("type").equals(ALLOWED)) {
        return condition;
      }
    }
    return JsonObject.EMPTY;
  }

  private static ApiException busy(String why, int retryAfter) {
    return new ApiException(
        Reason.TOO_MANY_REQUESTS,
        REFUSED,
        StatusDetails.NONE
            .withCauses(List.of(new StatusDetails.Cause(CAUSE, why, "")))
            .withRetryAfter(retryAfter));
  }

  /** The status with a condition that no further disruption is allowed. */
  private static JsonObject exhausted(JsonObject status, Instant now) {
    var conditions = status.array("conditions");
    var old = condition(conditions);
    boolean was = old.string("status").equals("False");
    var since = was ? old.string("lastTransitionTime") : Timestamps.format(now);
    var condition =
        JsonObject.of(
            "type",
            ALLOWED,
            "status",
            "False",
            "observedGeneration",
            status.integer("observedGeneration", 0),
            "lastTransitionTime",
            since,
            "reason",
            "InsufficientPods",
            "message",
            "");
    var kept = conditions.objects().stream().map(c -> c == old ? condition : c).toList();
    return status.with(
        "conditions", old.isEmpty() ? conditions.plus(condition) : JsonArray.of(kept));
  }
}
