package dev.muster.admission.objects;

import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionDenial;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.admission.RelatedStatusUpdate;
import java.util.HashSet;
import java.util.List;

/** Refuses new external IPs of services. */
public final class DenyServiceExternalIps implements Admission {
  @Override
  public List<RelatedStatusUpdate> validate(AdmissionRequest request) {
    if (request.createsOrUpdates()
        && request.isFor("", "services")
        && request.subresource().isEmpty()) {
      var wanted =
          new HashSet<>(request.mustObject().object("spec").array("externalIPs").strings());
      var old = request.oldObject();
      if (old != null) {
        old.object("spec").array("externalIPs").strings().forEach(wanted::remove);
      }
      if (!wanted.isEmpty()) {
        throw AdmissionDenial.of(request, "Use of external IPs is denied by admission control");
      }
    }
    return List.of();
  }
}
