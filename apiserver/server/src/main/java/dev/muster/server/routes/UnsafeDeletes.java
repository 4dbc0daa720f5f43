package dev.muster.server.routes;

import dev.muster.authorization.Authorizer;
import dev.muster.model.status.ApiException;
import dev.muster.registry.commit.WriteGuard;
import dev.muster.registry.request.ResourceRequest;
import dev.muster.server.request.Permission;
import dev.muster.types.SnapshotView;
import dev.muster.types.options.DeleteOptions;
import java.util.List;

/**
 * Authorizes deletes of objects that cannot be decoded. Thread-safe.
 *
 * @param enabled whether such deletes are enabled (the gate {@code
 *     AllowUnsafeMalformedObjectDeletion})
 */
public record UnsafeDeletes(Authorizer authorizer, boolean enabled) {
  public static final String GATE = "AllowUnsafeMalformedObjectDeletion";
  private static final String VERB = "unsafe-delete-ignore-read-errors";

  /**
   * The request, which also needs the permission for unsafe deletes when its options ask for one.
   */
  ResourceRequest permitted(ResourceRequest resourceRequest, DeleteOptions options) {
    return options.ignoresReadError()
        ? resourceRequest.alsoNeeding(permission(resourceRequest))
        : resourceRequest;
  }

  /** Every attempt of the delete checks this in its own snapshot, like the permission to delete. */
  private WriteGuard permission(ResourceRequest resourceRequest) {
    var resource = resourceRequest.type().groupResource();
    var attributes = Permission.asked(resourceRequest, VERB, "");
    return snapshot -> {
      var decision = authorizer.authorize(attributes, new SnapshotView(snapshot));
      if (!decision.allowed()) {
        throw ApiException.forbidden(
            resource,
            resourceRequest.name(),
            "not permitted to do \"" + VERB + "\", reason: " + decision.reason());
      }
      return List.of();
    };
  }
}
