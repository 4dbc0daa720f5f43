package dev.muster.admission.pods;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionDenial;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.admission.RelatedStatusUpdate;
import java.util.ArrayList;
import java.util.List;

/** Refuses a pod update that needs a feature which the pod's node does not declare. */
public final class NodeDeclaredFeatures implements Admission {
  @Override
  public List<RelatedStatusUpdate> validate(AdmissionRequest request) {
    if (request.operation() == AdmissionOperation.UPDATE
        && request.isFor("", "pods")
        && List.of("", "resize").contains(request.subresource())
        && PodResizes.changesBoundPod(request)) {
      check(request);
    }
    return List.of();
  }

  private static void check(AdmissionRequest request) {
    var needed = needed(Pods.spec(request.mustObject()), Pods.spec(request.mustOldObject()));
    if (needed.isEmpty()) {
      return;
    }
    var node = PodResizes.node(request);
    needed.removeAll(node.object("status").array("declaredFeatures").strings());
    if (!needed.isEmpty()) {
      throw AdmissionDenial.of(
          request,
          "pod update requires features "
              + String.join(", ", needed)
              + " which are not available on node "
              + GoText.quote(node.object("metadata").string("name")));
    }
  }

  private static List<String> needed(JsonObject spec, JsonObject old) {
    var features = new ArrayList<String>();
    if (!spec.object("resources").equals(old.object("resources"))) {
      features.add("InPlacePodLevelResourcesVerticalScaling");
    }
    var before = old.array("initContainers").objects();
    var now = spec.array("initContainers").objects();
    for (int i = 0; i < Math.min(now.size(), before.size()); i++) {
      boolean sidecar = before.get(i).string("restartPolicy").equals("Always");
      if (!sidecar && !before.get(i).object("resources").equals(now.get(i).object("resources"))) {
        features.add("InPlacePodVerticalScalingInitContainers");
        break;
      }
    }
    return features;
  }
}
