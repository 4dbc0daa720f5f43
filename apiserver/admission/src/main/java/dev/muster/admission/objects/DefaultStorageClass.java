package dev.muster.admission.objects;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.admission.AdmissionRequest;

/** Sets the default class of PersistentVolumeClaims without one. */
public final class DefaultStorageClass implements Admission {
  static final String CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";

  @Override
  public JsonObject admit(AdmissionRequest request) {
    var claim = request.object();
    if (claim == null
        || request.operation() != AdmissionOperation.CREATE
        || !request.isFor("", "persistentvolumeclaims")
        || !request.subresource().isEmpty()
        || claim.object("metadata", "annotations").has(CLASS_ANNOTATION)
        || claim.object("spec").has("storageClassName")) {
      return Admission.super.admit(request);
    }
    var name =
        DefaultClass.among(
            request.cluster().list("/storageclasses", ""),
            "storageclass.kubernetes.io/is-default-class",
            "storageclass.beta.kubernetes.io/is-default-class");
    return name == null ? claim : claim.withAt(Json.of(name), "spec", "storageClassName");
  }
}
