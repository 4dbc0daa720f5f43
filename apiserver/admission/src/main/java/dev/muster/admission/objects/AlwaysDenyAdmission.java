package dev.muster.admission.objects;

import dev.muster.model.json.JsonObject;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionDenial;
import dev.muster.registry.admission.AdmissionRequest;

/** {@code AlwaysDeny}: refuses every write. */
public final class AlwaysDenyAdmission implements Admission {
  @Override
  public JsonObject admit(AdmissionRequest request) {
    throw AdmissionDenial.of(request, "admission control is denying all modifications");
  }
}
