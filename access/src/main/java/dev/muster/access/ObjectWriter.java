package dev.muster.access;

import dev.muster.model.GroupVersionResource;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.write.OwnChange;
import org.jspecify.annotations.Nullable;

/** How the objects of a first start are written: through the registry, like a client's. */
public interface ObjectWriter {
  /**
   * Changes an object, or makes it; asks again what it should be whenever another server was
   * faster.
   *
   * @param namespace "" for cluster-scoped objects
   * @param change gets null when there is no object; answers the object as it should be, or null to
   *     leave everything as it is
   * @return the object as it is stored now, or null when there is none
   */
  @Nullable JsonObject change(
      GroupVersionResource resource, String namespace, String name, OwnChange change);
}
