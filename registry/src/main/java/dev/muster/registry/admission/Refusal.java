package dev.muster.registry.admission;

import dev.muster.model.status.ApiException;

/** The answer to a write that admission refuses. */
public final class Refusal {
  private Refusal() {}

  public static ApiException of(AdmissionRequest request, String why) {
    return ApiException.forbidden(request.resource(), name(request), why);
  }

  /** The object's name; the beginning of one that is yet to be generated; or "Unknown". */
  public static String name(AdmissionRequest request) {
    if (!request.name().isEmpty()) {
      return request.name();
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
