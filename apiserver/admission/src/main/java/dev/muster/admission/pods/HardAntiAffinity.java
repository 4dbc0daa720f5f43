package dev.muster.admission.pods;

import dev.muster.model.status.ApiException;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.admission.RelatedStatusUpdate;
import java.util.List;

/** Refuses required pod anti-affinity with another topology key than the host name. */
public final class HardAntiAffinity implements Admission {
  private static final String HOST = "kubernetes.io/hostname";

  @Override
  public List<RelatedStatusUpdate> validate(AdmissionRequest request) {
    if (request.createsOrUpdates() && Pods.isPod(request)) {
      var pod = request.mustObject();
      var terms =
          Pods.spec(pod)
              .object("affinity", "podAntiAffinity")
              .array("requiredDuringSchedulingIgnoredDuringExecution");
      for (var term : terms.objects()) {
        var key = term.string("topologyKey");
        if (!key.equals(HOST)) {
          throw ApiException.forbidden(
              request.resource(),
              pod.object("metadata").string("name"),
              "affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey "
                  + key
                  + " but only key "
                  + HOST
                  + " is allowed");
        }
      }
    }
    return List.of();
  }
}
