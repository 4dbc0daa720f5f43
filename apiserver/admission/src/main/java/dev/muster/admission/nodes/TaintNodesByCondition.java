package dev.muster.admission.nodes;

import dev.muster.admission.pods.Pods;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.admission.AdmissionRequest;

/**
 * Adds the not-ready taint to new nodes, so that no pod is scheduled before the kubelet reports.
 */
public final class TaintNodesByCondition implements Admission {
  private static final JsonObject NOT_READY =
      JsonObject.of("key", "node.kubernetes.io/not-ready", "effect", "NoSchedule");

  @Override
  public JsonObject admit(AdmissionRequest request) {
    var node = request.object();
    if (node == null
        || request.operation() != AdmissionOperation.CREATE
        || !request.isFor("", "nodes")
        || !request.subresource().isEmpty()) {
      return Admission.super.admit(request);
    }
    var spec = node.object("spec");
    for (var taint : spec.array("taints").objects()) {
      if (taint.string("key").equals(NOT_READY.string("key"))
          && taint.string("effect").equals(NOT_READY.string("effect"))) {
        return node;
      }
    }
    return node.with("spec", Pods.plus(spec, "taints", NOT_READY));
  }
}
