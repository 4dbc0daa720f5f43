package dev.muster.admission.objects;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.admission.AdmissionRequest;

/** Sets the default class of ingresses without one. */
public final class DefaultIngressClass implements Admission {
  @Override
  public JsonObject admit(AdmissionRequest request) {
    var ingress = request.object();
    if (ingress == null
        || request.operation() != AdmissionOperation.CREATE
        || !request.isFor("networking.k8s.io", "ingresses")
        || !request.subresource().isEmpty()
        || ingress.object("spec").has("ingressClassName")
        || ingress.object("metadata", "annotations").has("kubernetes.io/ingress.class")) {
      return Admission.super.admit(request);
    }
    var name =
        DefaultClass.among(
            request.cluster().list("/ingressclasses", ""),
            "ingressclass.kubernetes.io/is-default-class");
    return name == null ? ingress : ingress.withAt(Json.of(name), "spec", "ingressClassName");
  }
}
