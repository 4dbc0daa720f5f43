package dev.muster.registry.admission;

import dev.muster.model.status.ApiException;

/** The answer to a write that admission refuses. */
public final class AdmissionDenial {
  private AdmissionDenial() {}

  public static ApiException of(AdmissionRequest request, String why) {
    return ApiException.forbidden(request.resource(), name(request), why);
  }

  /**
   * The name that was asked for or that the new object has; the beginning of one that is yet to be
   * generated; or "Unknown", as kube-apiserver calls a member of a collection that is deleted.
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
