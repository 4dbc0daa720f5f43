package dev.muster.server.routes;

import dev.muster.model.GroupResource;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.model.status.StatusDetails;

/** The errors for paths and methods that the server does not serve. */
public final class NoRoute {
  private NoRoute() {}

  static ApiException notFound() {
    return new ApiException(
        Reason.NOT_FOUND, "the server could not find the requested resource", StatusDetails.EMPTY);
  }

  /**
   * The resource is known, but does not support the verb: for example, it can be listed and not
   * watched.
   */
  static ApiException notSupported(GroupResource resource, String verb) {
    return new ApiException(
        Reason.METHOD_NOT_ALLOWED,
        verb + " is not supported on resources of kind \"" + resource + "\"",
        StatusDetails.of(resource, ""));
  }

  public static ApiException methodNotAllowed() {
    return new ApiException(
        Reason.METHOD_NOT_ALLOWED,
        "the server does not allow this method on the requested resource",
        StatusDetails.EMPTY);
  }
}
