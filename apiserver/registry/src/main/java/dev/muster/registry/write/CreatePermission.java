package dev.muster.registry.write;

import dev.muster.model.status.ApiException;
import dev.muster.registry.request.ResourceRequest;

/**
 * Checks whether a user who may update an object may also create it. Called when an update or patch
 * creates its object, after the object was found valid.
 */
@FunctionalInterface
public interface CreatePermission {
  /** The permission to update implies the permission to create. */
  CreatePermission IMPLIED = resourceRequest -> {};

  /**
   * @throws ApiException Forbidden when the user may not create the object
   */
  void check(ResourceRequest resourceRequest);
}
