package dev.muster.access;

import dev.muster.model.ApiException;
import dev.muster.model.GroupVersionResource;
import dev.muster.model.JsonObject;
import org.jspecify.annotations.Nullable;

/** How the objects of a first start are read and written: through the registry, like a client's. */
public interface ObjectWriter {
  /** The object as it is now, or null; the namespace is "" for cluster-scoped objects. */
  @Nullable JsonObject read(GroupVersionResource resource, String namespace, String name);

  /**
   * @throws ApiException {@code AlreadyExists} when another server was faster
   */
  void create(GroupVersionResource resource, JsonObject object);

  /**
   * @throws ApiException {@code Conflict} when another server was faster
   */
  void update(GroupVersionResource resource, JsonObject object);
}
