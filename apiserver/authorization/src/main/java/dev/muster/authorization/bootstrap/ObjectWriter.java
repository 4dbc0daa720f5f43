package dev.muster.authorization.bootstrap;

import dev.muster.model.GroupVersionResource;
import dev.muster.registry.write.ServerChange;

/** Writes default objects through the registry, as a client's request would. */
public interface ObjectWriter {
  /**
   * Creates or updates an object, and calls {@code change} again after a conflict.
   *
   * @param namespace "" for cluster-scoped objects
   * @param change receives the existing object or null, and returns the wanted object, or null for
   *     no change
   */
  void change(GroupVersionResource resource, String namespace, String name, ServerChange change);
}
