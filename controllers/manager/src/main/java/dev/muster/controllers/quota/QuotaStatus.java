package dev.muster.controllers.quota;

import dev.muster.model.json.JsonObject;
import dev.muster.model.quota.ResourceList;
import java.util.Optional;

/** Computes the status of a quota. */
final class QuotaStatus {
  private QuotaStatus() {}

  /**
   * The quota after a count, if its status changes. Usage that could not be counted stays;
   * resources that are no longer limited are removed.
   */
  static Optional<JsonObject> after(JsonObject quota, ResourceList counted) {
    var spec = ResourceList.of(quota.object("spec", "hard"));
    var hard = ResourceList.of(quota.object("status", "hard"));
    var used = ResourceList.of(quota.object("status", "used"));
    var next = new ResourceList();
    for (var name : spec.amounts().keySet()) {
      if (counted.has(name)) {
        next.put(name, counted.get(name));
      } else if (used.has(name)) {
        next.put(name, used.get(name));
      }
    }
    var status = quota.object("status");
    if (status.has("hard") && status.has("used") && same(spec, hard) && same(next, used)) {
      return Optional.empty();
    }
    return Optional.of(
        quota.with(
            "status", JsonObject.of("hard", quota.object("spec", "hard"), "used", next.toJson())));
  }

  /** Whether the status covers all limits in the spec. */
  static boolean isCounted(JsonObject quota) {
    var spec = ResourceList.of(quota.object("spec", "hard"));
    return same(spec, ResourceList.of(quota.object("status", "hard")))
        && quota.object("status", "used").keys().containsAll(spec.amounts().keySet());
  }

  private static boolean same(ResourceList one, ResourceList other) {
    return one.amounts().keySet().equals(other.amounts().keySet())
        && one.amounts().entrySet().stream()
            .allMatch(entry -> entry.getValue().compareTo(other.get(entry.getKey())) == 0);
  }
}
