package dev.muster.admission.pods;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionRequest;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Sets the image pull policy of all containers to {@code Always}, so that a pod cannot use a
 * private image just because the node has it.
 */
public final class AlwaysPullImages implements Admission {
  @Override
  public JsonObject admit(AdmissionRequest request) {
    if (!request.createsOrUpdates() || !Pods.isPod(request)) {
      return Admission.super.admit(request);
    }
    var pod = request.mustObject();
    var old = request.oldObject();
    if (old != null && images(old).containsAll(images(pod))) {
      return pod;
    }
    var spec = Pods.spec(pod);
    for (var field : new String[] {"initContainers", "containers", "ephemeralContainers"}) {
      spec =
          Pods.mapObjects(
              spec, field, container -> container.with("imagePullPolicy", Json.of("Always")));
    }
    spec =
        Pods.mapObjects(
            spec,
            "volumes",
            volume ->
                volume.get("image") instanceof JsonObject image
                    ? volume.with("image", image.with("pullPolicy", Json.of("Always")))
                    : volume);
    return Pods.withSpec(pod, spec);
  }

  private static Set<String> images(JsonObject pod) {
    return Pods.allContainers(Pods.spec(pod)).stream()
        .map(container -> container.string("image"))
        .collect(Collectors.toSet());
  }
}
