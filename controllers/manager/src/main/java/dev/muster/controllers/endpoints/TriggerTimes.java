package dev.muster.controllers.endpoints;

import dev.muster.controllers.ObjectKey;
import dev.muster.model.Timestamps;
import dev.muster.model.json.JsonObject;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds when the changes of a service and its pods happened: the earliest since the last call. The
 * time lets clients measure how long a change takes to reach them. Thread-safe, if each service is
 * used by one thread at a time.
 */
final class TriggerTimes {
  static final String ANNOTATION = "endpoints.kubernetes.io/last-change-trigger-time";

  /** The last known times of a service. */
  private record Known(Instant service, Map<String, Instant> pods) {}

  private final Map<ObjectKey, Known> services = new ConcurrentHashMap<>();

  Optional<Instant> next(JsonObject service, List<JsonObject> pods) {
    var key = ObjectKey.of(service);
    var before = services.get(key);
    var times = new HashMap<String, Instant>();
    for (var pod : pods) {
      var ready = readySince(pod);
      if (ready != null) {
        times.put(pod.object("metadata").string("name"), ready);
      }
    }
    var created =
        Optional.ofNullable(Timestamps.read(service.object("metadata").get("creationTimestamp")))
            .orElse(Instant.EPOCH);
    services.put(key, new Known(created, times));
    @Nullable Instant earliest = null;
    for (var entry : times.entrySet()) {
      var last = before == null ? null : before.pods().get(entry.getKey());
      if (last == null || entry.getValue().isAfter(last)) {
        earliest = earlier(earliest, entry.getValue());
      }
    }
    if (before == null || created.isAfter(before.service())) {
      earliest = earlier(earliest, created);
    }
    return Optional.ofNullable(earliest);
  }

  void forget(ObjectKey service) {
    services.remove(service);
  }

  private static Instant earlier(@Nullable Instant one, Instant other) {
    return one == null || other.isBefore(one) ? other : one;
  }

  private static @Nullable Instant readySince(JsonObject pod) {
    for (var condition : pod.object("status").array("conditions").objects()) {
      if (condition.string("type").equals("Ready")) {
        return Timestamps.read(condition.get("lastTransitionTime"));
      }
    }
    return null;
  }

  /** The object with the trigger time annotation set or removed. */
  static JsonObject stamp(JsonObject object, Optional<Instant> time) {
    var metadata = object.object("metadata");
    var annotations = metadata.object("annotations").without(ANNOTATION);
    if (time.isPresent()) {
      annotations = annotations.with(ANNOTATION, Timestamps.format(time.get()));
    }
    return object.with(
        "metadata",
        annotations.isEmpty()
            ? metadata.without("annotations")
            : metadata.with("annotations", annotations));
  }
}
