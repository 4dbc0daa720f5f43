package dev.muster.registry.admission;

import dev.muster.model.status.ApiException;

/** Builds the error response for a write that admission refuses. */
public final class AdmissionDenial {
  private AdmissionDenial() {}

  public static ApiException of(AdmissionRequest request, String why) {
    return ApiException.forbidden(request.resource(), name(request), why);
  }

  /**
   * The name that the error shows: the requested name or the new object's name; the {@code
   * generateName} prefix when no name is generated yet; "Unknown" for a member of a deleted
   * collection, as in kube-apiserver.
   */
  public static String name(AdmissionRequest request) {
    if (!request.requestedName().isEmpty()) {
      return request.requestedName();
    }
    var object = request.object();
    if (object == null) {
      return "Unknown";
    }
    var metadata = object.object("metadata");
    if (!metadata.string("name").isEmpty()) {
      return metadata.string("name");
    }
    var beginning = metadata.string("generateName");
    return beginning.isEmpty() ? "Unknown" : beginning;
  }
}
