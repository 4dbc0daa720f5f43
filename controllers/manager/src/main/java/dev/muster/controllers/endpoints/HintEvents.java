package dev.muster.controllers.endpoints;

import dev.muster.controllers.EventRecorder;
import dev.muster.controllers.ObjectKey;
import dev.muster.model.json.JsonObject;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Writes Events when the endpoints of a service start or stop to have proportional hints, with the
 * reason. Thread-safe, if each service is reported by one thread at a time.
 */
final class HintEvents {
  private static final String DISABLED = "TopologyAwareHintsDisabled";

  private final EventRecorder events;

  /** The last reported state of each service with proportional hints. */
  private final Map<ObjectKey, Map<String, String>> told = new ConcurrentHashMap<>();

  HintEvents(EventRecorder events) {
    this.events = events;
  }

  void forget(ObjectKey service) {
    told.remove(service);
  }

  /**
   * @param problems by address type; "" where there is none
   */
  void report(JsonObject service, Map<String, String> problems) {
    var key = ObjectKey.of(service);
    var before = told.getOrDefault(key, Map.of());
    if (problems.equals(before)) {
      return;
    }
    if (problems.isEmpty()) {
      told.remove(key);
    } else {
      told.put(key, Map.copyOf(problems));
    }
    before.keySet().stream()
        .filter(type -> !problems.containsKey(type))
        .filter(type -> "".equals(before.get(type)))
        .forEach(type -> record(service, type, "Topology Aware Hints has been disabled"));
    problems.forEach(
        (type, problem) -> {
          if (!problem.equals(before.get(type))) {
            record(service, type, problem);
          }
        });
  }

  private void record(JsonObject service, String type, String problem) {
    var metadata = service.object("metadata");
    var about =
        new ObjectReferenceBuilder()
            .withApiVersion("v1")
            .withKind("Service")
            .withNamespace(metadata.string("namespace"))
            .withName(metadata.string("name"))
            .withUid(metadata.string("uid"))
            .build();
    var where = ", addressType: " + type;
    if (problem.isEmpty()) {
      events.report(
          about, "TopologyAwareHintsEnabled", "Topology Aware Hints has been enabled" + where);
    } else {
      events.warn(about, DISABLED, problem + where);
    }
  }
}
