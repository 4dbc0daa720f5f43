package dev.muster.server.definitions;

import dev.muster.model.GroupVersionResource;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.write.ServerChange;
import dev.muster.replica.object.StoredObject;
import dev.muster.types.ServedType;

/** What is written for definitions: through the registry, in the server's own name. */
public interface DefinitionWrites {
  /**
   * Makes an object.
   *
   * @throws dev.muster.model.status.ApiException {@code AlreadyExists} when another server was
   *     faster
   */
  void create(GroupVersionResource resource, JsonObject object);

  /**
   * Deletes that very version of the object.
   *
   * @throws dev.muster.model.status.ApiException {@code Conflict} when it has changed since, {@code
   *     NotFound} when it is gone
   */
  void delete(GroupVersionResource resource, JsonObject object);

  /**
   * Changes the status of an object, and what of its metadata goes with it, such as a finalizer
   * whose work is done.
   *
   * @param change null leaves everything as it is; asked again whenever somebody else was faster
   * @return the revision of the object as it is now; 0 when it is gone
   */
  long changeStatus(
      GroupVersionResource resource, String namespace, String name, ServerChange change);

  /**
   * Deletes that very version of an object of that type.
   *
   * @throws dev.muster.model.status.ApiException {@code Conflict} when it has changed since, {@code
   *     NotFound} when it is gone
   */
  void delete(ServedType type, StoredObject object);
}
