package dev.muster.access.admission;

import dev.muster.model.Json;
import dev.muster.model.JsonObject;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.admission.Operation;

/** No pod runs an image that its node has and it may not pull itself. */
final class AlwaysPullImages implements Admission {
  @Override
  public JsonObject admit(AdmissionRequest request) {
    boolean write =
        request.operation() == Operation.CREATE || request.operation() == Operation.UPDATE;
    if (!write || !Pods.isPod(request)) {
      return Admission.super.admit(request);
    }
    var pod = request.mustObject();
    var spec = Pods.spec(pod);
    for (var field : new String[] {"initContainers", "containers", "ephemeralContainers"}) {
      spec =
          Pods.mapObjects(
              spec, field, container -> container.with("imagePullPolicy", Json.of("Always")));
    }
    return Pods.withSpec(pod, spec);
  }
}
