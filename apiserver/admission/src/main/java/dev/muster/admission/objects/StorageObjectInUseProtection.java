package dev.muster.admission.objects;

import dev.muster.admission.pods.Pods;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.admission.AdmissionRequest;

/**
 * Adds the protection finalizer to new volumes, claims and volume attributes classes, so that they
 * are not removed while in use.
 */
public final class StorageObjectInUseProtection implements Admission {
  @Override
  public JsonObject admit(AdmissionRequest request) {
    var finalizer = finalizer(request);
    if (finalizer.isEmpty()
        || request.operation() != AdmissionOperation.CREATE
        || !request.subresource().isEmpty()) {
      return Admission.super.admit(request);
    }
    var object = request.mustObject();
    var metadata = object.object("metadata");
    return metadata.array("finalizers").strings().contains(finalizer)
        ? object
        : object.with("metadata", Pods.plus(metadata, "finalizers", Json.of(finalizer)));
  }

  private static String finalizer(AdmissionRequest request) {
    if (request.isFor("", "persistentvolumes")) {
      return "kubernetes.io/pv-protection";
    }
    if (request.isFor("", "persistentvolumeclaims")) {
      return "kubernetes.io/pvc-protection";
    }
    return request.isFor("storage.k8s.io", "volumeattributesclasses")
        ? "kubernetes.io/vac-protection"
        : "";
  }
}
