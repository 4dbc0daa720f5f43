package dev.muster.registry.write;

import dev.muster.model.json.JsonObject;
import dev.muster.registry.request.ResourceRequest;
import org.jspecify.annotations.Nullable;

/** Makes the new object out of the stored one, both in their stored version. */
@FunctionalInterface
interface ObjectChange {
  /**
   * Asked again on a newer object whenever somebody else was faster.
   *
   * @param resourceRequest whose warnings count only if this attempt does
   * @param existing null when there is none
   * @return null when everything is to stay as it is, which only the server's own changes say
   */
  @Nullable JsonObject of(ResourceRequest resourceRequest, @Nullable ExistingObject existing);
}
