package dev.muster.server.definitions;

import dev.muster.model.GroupVersionResource;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.write.ServerChange;
import dev.muster.replica.object.StoredObject;
import dev.muster.types.ServedType;

/** The writes of the definition controller, through the registry and as the server's own user. */
public interface DefinitionWrites {
  /**
   * Creates an object.
   *
   * @throws dev.muster.model.status.ApiException {@code AlreadyExists} when another server was
   *     faster
   */
  void create(GroupVersionResource resource, JsonObject object);

  /**
   * Deletes exactly that version of the object.
   *
   * @throws dev.muster.model.status.ApiException {@code Conflict} when it has changed since, {@code
   *     NotFound} when it is gone
   */
  void delete(GroupVersionResource resource, JsonObject object);

  /**
   * Changes the status of an object, and related metadata such as a finalizer whose work is done.
   *
   * @param change returns null to leave the object unchanged; called again after each conflict
   * @return the revision of the object after the call; 0 when it is gone
   */
  long changeStatus(
      GroupVersionResource resource, String namespace, String name, ServerChange change);

  /**
   * Deletes exactly that version of an object of that type.
   *
   * @throws dev.muster.model.status.ApiException {@code Conflict} when it has changed since, {@code
   *     NotFound} when it is gone
   */
  void delete(ServedType type, StoredObject object);
}
