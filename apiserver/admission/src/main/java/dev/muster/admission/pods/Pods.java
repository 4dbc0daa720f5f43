package dev.muster.admission.pods;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.admission.AdmissionRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Shared functions of the plugins about pods. */
public final class Pods {
  public static final String MIRROR = "kubernetes.io/config.mirror";

  private Pods() {}

  /** Whether the request creates a pod, not a subresource. */
  static boolean isCreated(AdmissionRequest request) {
    return request.operation() == AdmissionOperation.CREATE && isPod(request);
  }

  /** Whether the request is about a pod, not a subresource. */
  static boolean isPod(AdmissionRequest request) {
    return request.isFor("", "pods") && request.subresource().isEmpty() && request.object() != null;
  }

  public static boolean isMirror(JsonObject pod) {
    return pod.object("metadata", "annotations").has(MIRROR);
  }

  public static JsonObject spec(JsonObject pod) {
    return pod.object("spec");
  }

  static JsonObject withSpec(JsonObject pod, JsonObject spec) {
    return pod.with("spec", spec);
  }

  /** The containers in the given fields, in upstream's order. */
  public static List<JsonObject> containers(JsonObject spec, String... fields) {
    var all = new ArrayList<JsonObject>();
    for (var field : fields) {
      all.addAll(spec.array(field).objects());
    }
    return all;
  }

  public static List<JsonObject> allContainers(JsonObject spec) {
    return containers(spec, "initContainers", "containers", "ephemeralContainers");
  }

  /** The spec with every object of a list changed. */
  static JsonObject mapObjects(JsonObject spec, String field, UnaryOperator<JsonObject> change) {
    if (!(spec.get(field) instanceof JsonArray array)) {
      return spec;
    }
    var changed =
        array.map(item -> item instanceof JsonObject object ? change.apply(object) : item);
    return changed == array ? spec : spec.with(field, changed);
  }

  public static JsonObject plus(JsonObject object, String field, Json item) {
    return object.with(field, object.array(field).plus(item));
  }
}
