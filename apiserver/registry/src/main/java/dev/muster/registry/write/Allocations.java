package dev.muster.registry.write;

import dev.muster.model.json.JsonObject;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.store.Operation;
import dev.muster.types.ServedType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Allocates what must be unique in the cluster, such as cluster IPs and node ports. One transaction
 * commits the object and its allocations, so on every server of the fleet neither exists without
 * the other.
 */
public interface Allocations {
  /** Allocates nothing. */
  Allocations NONE = (type, object, old, snapshot, dryRun) -> new Grant(object, List.of());

  /** An object with its allocations, and the operations to commit with it. */
  record Grant(JsonObject object, List<Operation> operations) {}

  /**
   * @param object the new object; null when it is removed
   * @param old the stored object; null when it is created
   * @param snapshot contains the existing allocations
   */
  Grant allocate(
      ServedType type,
      JsonObject object,
      @Nullable JsonObject old,
      Snapshot snapshot,
      boolean dryRun);

  /** The operations to commit with the removal of an object. */
  default List<Operation> release(ServedType type, JsonObject old, Snapshot snapshot) {
    return List.of();
  }
}
