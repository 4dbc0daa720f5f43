package dev.muster.registry.write;

import dev.muster.model.json.JsonObject;
import dev.muster.registry.request.ResourceRequest;
import org.jspecify.annotations.Nullable;

/** Makes the new object from the stored one, both in their stored version. */
@FunctionalInterface
interface ObjectChange {
  /**
   * Called again with a newer object after each conflict.
   *
   * @param resourceRequest its warnings are dropped unless this attempt decides
   * @param existing null when there is no object
   * @return null to change nothing, which only changes of the server itself return
   */
  @Nullable JsonObject of(ResourceRequest resourceRequest, @Nullable ExistingObject existing);
}
