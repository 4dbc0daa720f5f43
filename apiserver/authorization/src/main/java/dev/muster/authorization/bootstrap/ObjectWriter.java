package dev.muster.authorization.bootstrap;

import dev.muster.model.GroupVersionResource;
import dev.muster.registry.write.ServerChange;

/** How the objects of a first start are written: through the registry, like a client's. */
public interface ObjectWriter {
  /**
   * Changes an object, or makes it; asks again what it should be whenever another server was
   * faster.
   *
   * @param namespace "" for cluster-scoped objects
   * @param change gets null when there is no object; answers the object as it should be, or null to
   *     leave everything as it is
   */
  void change(GroupVersionResource resource, String namespace, String name, ServerChange change);
}
