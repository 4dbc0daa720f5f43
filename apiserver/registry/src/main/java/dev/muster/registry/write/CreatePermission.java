package dev.muster.registry.write;

import dev.muster.model.status.ApiException;
import dev.muster.registry.request.ResourceRequest;

/**
 * Whether whoever may change an object may also create it. Asked when a change finds nothing to
 * change and makes the object instead, after the object was found valid.
 */
@FunctionalInterface
public interface CreatePermission {
  /** Whoever may change may create. */
  CreatePermission IMPLIED = resourceRequest -> {};

  /**
   * @throws ApiException Forbidden when the user may not create what the call names
   */
  void check(ResourceRequest resourceRequest);
}
