package dev.muster.controllers.endpoints;

import dev.muster.controllers.ObjectKey;
import dev.muster.controllers.loop.ObjectCache;
import dev.muster.model.json.JsonObject;
import dev.muster.model.select.LabelSelector;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Matches pods and services by the services' selectors. */
final class ServiceSelectors {
  private ServiceSelectors() {}

  /** Whether this controller finds the pods of the service, which needs a selector. */
  static boolean selects(JsonObject service) {
    var spec = service.object("spec");
    return spec.has("selector") && !spec.string("type").equals("ExternalName");
  }

  static List<JsonObject> pods(JsonObject service, ObjectCache pods) {
    var selector = LabelSelector.ofLabels(service.object("spec", "selector"));
    var found = new ArrayList<JsonObject>();
    for (var pod : pods.list(service.object("metadata").string("namespace"))) {
      if (selector.matches(pod.object("metadata").object("labels"))) {
        found.add(pod);
      }
    }
    return found;
  }

  /** The services whose endpoints a pod change may affect; empty if no relevant field changed. */
  static Set<ObjectKey> services(
      @Nullable JsonObject old, @Nullable JsonObject now, ObjectCache services) {
    var touched = new LinkedHashSet<ObjectKey>();
    if (old != null && now != null && sameForServices(old, now)) {
      return touched;
    }
    if (old != null) {
      addServices(old, services, touched);
    }
    if (now != null) {
      addServices(now, services, touched);
    }
    return touched;
  }

  private static void addServices(JsonObject pod, ObjectCache services, Set<ObjectKey> touched) {
    var metadata = pod.object("metadata");
    for (var service : services.list(metadata.string("namespace"))) {
      if (selects(service)
          && LabelSelector.ofLabels(service.object("spec", "selector"))
              .matches(metadata.object("labels"))) {
        touched.add(ObjectKey.of(service));
      }
    }
  }

  private static boolean sameForServices(JsonObject old, JsonObject now) {
    return unversioned(old).equals(unversioned(now));
  }

  private static JsonObject unversioned(JsonObject pod) {
    return pod.withoutAt("metadata", "resourceVersion");
  }
}
