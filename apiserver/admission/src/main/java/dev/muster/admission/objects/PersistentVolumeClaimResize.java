package dev.muster.admission.objects;

import dev.muster.model.json.JsonObject;
import dev.muster.model.quota.ResourceList;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionDenial;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.admission.RelatedStatusUpdate;
import java.util.List;

/** Allows a PersistentVolumeClaim to grow only if it is bound and its class allows expansion. */
public final class PersistentVolumeClaimResize implements Admission {
  @Override
  public List<RelatedStatusUpdate> validate(AdmissionRequest request) {
    if (request.operation() == AdmissionOperation.UPDATE
        && request.isFor("", "persistentvolumeclaims")
        && request.subresource().isEmpty()) {
      check(request, request.mustObject(), request.mustOldObject());
    }
    return List.of();
  }

  private static void check(AdmissionRequest request, JsonObject claim, JsonObject old) {
    var size = ResourceList.of(claim.object("spec", "resources", "requests")).get("storage");
    var oldSize = ResourceList.of(old.object("spec", "resources", "requests")).get("storage");
    if (size.compareTo(oldSize) <= 0) {
      return;
    }
    if (!old.object("status").string("phase").equals("Bound")) {
      throw AdmissionDenial.of(request, "Only bound persistent volume claims can be expanded");
    }
    var name = className(claim);
    if (name.isEmpty() || !name.equals(className(old)) || !allowsExpansion(request, name)) {
      throw AdmissionDenial.of(
          request,
          "only dynamically provisioned pvc can be resized and the storageclass that provisions"
              + " the pvc must support resize");
    }
  }

  private static String className(JsonObject claim) {
    var annotations = claim.object("metadata", "annotations");
    return annotations.has(DefaultStorageClass.CLASS_ANNOTATION)
        ? annotations.string(DefaultStorageClass.CLASS_ANNOTATION)
        : claim.object("spec").string("storageClassName");
  }

  private static boolean allowsExpansion(AdmissionRequest request, String name) {
    var found = request.cluster().get("/storageclasses", "", name);
    return found != null && found.isTrue("allowVolumeExpansion");
  }
}
