package dev.muster.admission.namespaces;

import dev.muster.model.GroupResource;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.StatusDetails;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionDenial;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.types.ObjectMeta;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Refuses creates in a namespace that does not exist or is terminating, and the deletion of the
 * system namespaces.
 */
public final class NamespaceLifecycle implements Admission {
  private static final Set<String> IMMORTAL = Set.of("default", "kube-system", "kube-public");

  @Override
  public JsonObject admit(AdmissionRequest request) {
    check(request);
    return Admission.super.admit(request);
  }

  private void check(AdmissionRequest request) {
    if (request.isFor("", "namespaces")) {
      if (request.operation() == AdmissionOperation.DELETE) {
        checkMortal(request, ObjectMeta.name(request.mustOldObject()));
      }
      return;
    }
    if (request.namespace().isEmpty()
        || request.operation() == AdmissionOperation.DELETE
        || request.operation() == AdmissionOperation.CONNECT
        || request.isFor("authorization.k8s.io", "localsubjectaccessreviews")) {
      return;
    }
    var namespace = request.cluster().get("/namespaces", "", request.namespace());
    if (namespace == null) {
      throw ApiException.notFound(new GroupResource("", "namespaces"), request.namespace());
    }
    if (request.operation() == AdmissionOperation.CREATE
        && namespace.object("status").string("phase").equals("Terminating")) {
      throw terminating(request);
    }
  }

  /** Refuses to delete a system namespace. In a deletecollection the name comes from the object. */
  private static void checkMortal(AdmissionRequest request, String name) {
    if (IMMORTAL.contains(name)) {
      throw ApiException.forbidden(request.resource(), name, "this namespace may not be deleted");
    }
  }

  private static ApiException terminating(AdmissionRequest request) {
    var refusal =
        AdmissionDenial.of(
            request,
            "unable to create new content in namespace "
                + request.namespace()
                + " because it is being terminated");
    var causes = new ArrayList<>(refusal.details().causes());
    causes.add(
        new StatusDetails.Cause(
            "NamespaceTerminating",
            "namespace " + request.namespace() + " is being terminated",
            "metadata.namespace"));
    return new ApiException(
        refusal.reason(), refusal.text(), refusal.details().withCauses(List.copyOf(causes)));
  }
}
