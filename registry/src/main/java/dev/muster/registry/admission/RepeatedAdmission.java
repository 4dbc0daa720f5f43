package dev.muster.registry.admission;

import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;

/** Somebody who wants to know in which round of mutations a request is, and may ask for another. */
public interface RepeatedAdmission extends Admission {
  /**
   * As {@link Admission#admit(AdmissionRequest)}, in one of several rounds.
   *
   * @throws ApiException when the write is refused
   */
  JsonObject admit(AdmissionRequest request, MutationRounds rounds);

  @Override
  default JsonObject admit(AdmissionRequest request) {
    return admit(request, new MutationRounds());
  }
}
