package dev.muster.admission.manifest;

import dev.muster.model.status.ApiException;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.admission.RelatedStatusUpdate;
import dev.muster.types.ObjectMeta;
import java.util.List;

/** Refuses API objects with the name of a manifest. */
public final class ReservedNames implements Admission {
  private static final String GROUP = "admissionregistration.k8s.io";

  @Override
  public List<RelatedStatusUpdate> validate(AdmissionRequest request) {
    var kind = request.type().kind();
    if (request.operation() == AdmissionOperation.CREATE
        && kind.group().equals(GROUP)
        && ObjectMeta.name(request.mustObject()).endsWith(ManifestReader.SUFFIX)) {
      var name = ObjectMeta.name(request.mustObject());
      throw ApiException.invalid(
          kind.groupKind(),
          name,
          List.of(
              FieldError.invalid(
                  FieldPath.of("metadata", "name"),
                  name,
                  "names ending with \""
                      + ManifestReader.SUFFIX
                      + "\" are reserved for static manifest-based configurations and cannot be"
                      + " managed via the API")));
    }
    return List.of();
  }
}
