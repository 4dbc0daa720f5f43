package dev.muster.access.admission.objects;

import dev.muster.model.json.JsonObject;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.admission.Refusal;

/** {@code AlwaysDeny}: refuses every write. */
public final class AlwaysDenyAdmission implements Admission {
  @Override
  public JsonObject admit(AdmissionRequest request) {
    throw Refusal.of(request, "admission control is denying all modifications");
  }
}
