package dev.muster.admission.pods;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionRequest;
import java.util.ArrayList;
import java.util.TreeSet;

/**
 * Adds tolerations for the extended resources that a pod requests, to match taints of dedicated
 * nodes.
 */
public final class ExtendedResourceToleration implements Admission {
  @Override
  public JsonObject admit(AdmissionRequest request) {
    if (!request.createsOrUpdates() || !Pods.isPod(request)) {
      return Admission.super.admit(request);
    }
    var pod = request.mustObject();
    var spec = Pods.spec(pod);
    var names = new TreeSet<String>();
    for (var container : Pods.containers(spec, "containers", "initContainers")) {
      for (var name : container.object("resources", "requests").keys()) {
        if (isExtended(name)) {
          names.add(name);
        }
      }
    }
    var changed = spec;
    for (var name : names) {
      changed =
          with(changed, JsonObject.of("key", name, "operator", "Exists", "effect", "NoSchedule"));
    }
    return changed == spec ? pod : Pods.withSpec(pod, changed);
  }

  private static boolean isExtended(String name) {
    return name.contains("/") && !name.contains("kubernetes.io/") && !name.startsWith("requests.");
  }

  /** Adds the toleration; it replaces tolerations that differ only in their time. */
  private static JsonObject with(JsonObject spec, JsonObject toleration) {
    var all = new ArrayList<Json>();
    boolean placed = false;
    for (var other : spec.array("tolerations").objects()) {
      if (other.equals(toleration)) {
        return spec;
      }
      boolean same =
          other.string("key").equals(toleration.string("key"))
              && other.string("operator").equals(toleration.string("operator"))
              && other.string("effect").equals(toleration.string("effect"))
              && other.string("value").isEmpty();
      all.add(same ? toleration : other);
      placed |= same;
    }
    if (!placed) {
      all.add(toleration);
    }
    return spec.with("tolerations", JsonArray.of(all));
  }
}
