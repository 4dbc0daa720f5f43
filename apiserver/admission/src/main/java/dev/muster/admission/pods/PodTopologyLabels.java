package dev.muster.admission.pods;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.admission.AdmissionRequest;

/** Copies the zone and region labels of a node to a pod when it is bound to the node. */
public final class PodTopologyLabels implements Admission {
  private static final String[] LABELS = {
    "topology.kubernetes.io/zone", "topology.kubernetes.io/region"
  };

  @Override
  public JsonObject admit(AdmissionRequest request) {
    if (request.operation() != AdmissionOperation.CREATE || request.object() == null) {
      return Admission.super.admit(request);
    }
    var object = request.mustObject();
    if (request.isFor("", "pods") && request.subresource().equals("binding")) {
      var target = object.object("target");
      return target.string("kind").equals("Node")
          ? withLabels(request, object, target.string("name"))
          : object;
    }
    return Pods.isPod(request)
        ? withLabels(request, object, Pods.spec(object).string("nodeName"))
        : object;
  }

  private static JsonObject withLabels(
      AdmissionRequest request, JsonObject object, String nodeName) {
    var node = nodeName.isEmpty() ? null : request.cluster().get("/minions", "", nodeName);
    if (node == null) {
      return object;
    }
    var labelled = object;
    var given = node.object("metadata", "labels");
    for (var label : LABELS) {
      if (given.has(label)) {
        labelled = labelled.withAt(Json.of(given.string(label)), "metadata", "labels", label);
      }
    }
    return labelled;
  }
}
