package dev.muster.registry.write;

import dev.muster.model.json.JsonObject;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.store.Operation;
import dev.muster.types.ServedType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Hands out what must be unique in the cluster, such as cluster IPs and node ports. What is handed
 * out is committed in the same transaction as the object that gets it, so that neither is ever
 * there without the other, whichever server of the fleet does it.
 */
public interface Allocations {
  /** Hands out nothing. */
  Allocations NONE = (type, object, old, snapshot, dryRun) -> new Grant(object, List.of());

  /** An object with what it was given, and what has to be committed along with it. */
  record Grant(JsonObject object, List<Operation> operations) {}

  /**
   * @param object the new object; null when it is removed
   * @param old the object as it is stored; null when it is created
   * @param snapshot what is taken already
   */
  Grant allocate(
      ServedType type,
      JsonObject object,
      @Nullable JsonObject old,
      Snapshot snapshot,
      boolean dryRun);

  /** What has to be committed along with the removal of an object. */
  default List<Operation> release(ServedType type, JsonObject old, Snapshot snapshot) {
    return List.of();
  }
}
