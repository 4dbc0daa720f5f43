package dev.muster.admission.namespaces;

import dev.muster.model.GroupResource;
import dev.muster.model.status.ApiException;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.admission.RelatedStatusUpdate;
import java.util.List;

/** Refuses requests in a namespace that does not exist. */
public final class NamespaceExists implements Admission {
  @Override
  public List<RelatedStatusUpdate> validate(AdmissionRequest request) {
    var name = request.namespace();
    if (!name.isEmpty()
        && request.operation() != AdmissionOperation.CONNECT
        && !request.isFor("", "namespaces")
        && !request.cluster().has("/namespaces", "", name)) {
      throw ApiException.notFound(new GroupResource("", "namespaces"), name);
    }
    return List.of();
  }
}
