package dev.muster.server;

import dev.muster.model.ApiException;
import dev.muster.model.GroupResource;
import dev.muster.model.Reason;
import dev.muster.model.StatusDetails;

/** The answers to requests that lead nowhere. */
final class Route {
  private Route() {}

  static ApiException notFound() {
    return new ApiException(
        Reason.NOT_FOUND, "the server could not find the requested resource", StatusDetails.EMPTY);
  }

  /** The resource can be listed, but its changes are not known. */
  static ApiException notWatchable(GroupResource resource) {
    return new ApiException(
        Reason.METHOD_NOT_ALLOWED,
        "watch is not supported on resources of kind \"" + resource + "\"",
        StatusDetails.of(resource, ""));
  }

  static ApiException methodNotAllowed() {
    return new ApiException(
        Reason.METHOD_NOT_ALLOWED,
        "the server does not allow this method on the requested resource",
        StatusDetails.EMPTY);
  }
}
