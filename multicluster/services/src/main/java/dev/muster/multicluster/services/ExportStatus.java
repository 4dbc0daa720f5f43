package dev.muster.multicluster.services;

import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes the conditions of exports and imports when one of them changes. */
final class ExportStatus {
  /** A desired condition. */
  record WantedCondition(String type, boolean holds, String reason, String message) {}

  /** The type of the condition that the hub contains invalid exports of the service. */
  static final String IGNORED = "clusterset.muster.dev/ExportsIgnored";

  private static final int LONGEST_MESSAGE = 2_000;

  private final ApiObjects objects;
  private final Clock clock;

  ExportStatus(ApiObjects objects, Clock clock) {
    this.objects = objects;
    this.clock = clock;
  }

  /**
   * The condition for the ignored exports; empty for an object that never had the condition and
   * needs none.
   */
  static List<WantedCondition> ofIgnored(Map<String, Object> object, List<String> ignored) {
    if (ignored.isEmpty()) {
      return has(object, IGNORED)
          ? List.of(new WantedCondition(IGNORED, false, "NoneIgnored", "everything is taken"))
          : List.of();
    }
    var text = String.join("; ", ignored.stream().sorted().toList());
    return List.of(
        new WantedCondition(
            IGNORED,
            true,
            "InvalidExport",
            text.length() > LONGEST_MESSAGE ? text.substring(0, LONGEST_MESSAGE) + "…" : text));
  }

  static boolean has(Map<String, Object> object, String type) {
    return Fields.list(Fields.map(object.get("status")).get("conditions")).stream()
        .anyMatch(condition -> type.equals(Fields.map(condition).get("type")));
  }

  /**
   * @param more fields of the status besides the conditions
   */
  void put(
      ServicesResource resource,
      Map<String, Object> object,
      List<WantedCondition> wanted,
      Map<String, Object> more) {
    var status = new LinkedHashMap<>(Fields.map(object.get("status")));
    var conditions = new ArrayList<Map<String, Object>>();
    for (var item : Fields.list(status.get("conditions"))) {
      var condition = Fields.map(item);
      if (wanted.stream().noneMatch(each -> each.type().equals(condition.get("type")))) {
        conditions.add(condition);
      }
    }
    wanted.forEach(each -> conditions.add(condition(object, each)));
    status.put("conditions", conditions);
    status.putAll(more);
    if (!DesiredObject.same(status, object.get("status"))) {
      var next = new LinkedHashMap<>(object);
      next.put("status", status);
      objects.updateStatus(resource, Fields.namespace(object), next);
    }
  }

  private Map<String, Object> condition(Map<String, Object> object, WantedCondition wanted) {
    var state = wanted.holds() ? "True" : "False";
    var since = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    for (var item : Fields.list(Fields.map(object.get("status")).get("conditions"))) {
      var before = Fields.map(item);
      if (wanted.type().equals(before.get("type")) && state.equals(before.get("status"))) {
        since = Fields.text(before, "lastTransitionTime");
      }
    }
    var condition = new LinkedHashMap<String, Object>();
    condition.put("type", wanted.type());
    condition.put("status", state);
    condition.put("reason", wanted.reason());
    condition.put("message", wanted.message());
    condition.put("lastTransitionTime", since);
    return condition;
  }
}
