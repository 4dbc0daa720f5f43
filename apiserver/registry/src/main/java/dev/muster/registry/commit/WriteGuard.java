package dev.muster.registry.commit;

import dev.muster.model.status.ApiException;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.store.Operation;
import java.util.ArrayList;
import java.util.List;

/**
 * Preconditions of a write beside the objects that it reads. They must hold in the snapshot of an
 * attempt and still hold when the attempt is committed.
 */
@FunctionalInterface
public interface WriteGuard {
  /** No preconditions. */
  WriteGuard NONE = snapshot -> List.of();

  /**
   * Checks the preconditions in a snapshot and returns the operations that guard them in the
   * transaction.
   *
   * @throws OutdatedTypeException when the type of the request is not served in that snapshot
   * @throws ApiException when the user may not do the write in that snapshot
   */
  List<Operation> in(Snapshot snapshot);

  /** A guard with the preconditions of both. */
  default WriteGuard and(WriteGuard other) {
    if (this == NONE) {
      return other;
    }
    if (other == NONE) {
      return this;
    }
    return snapshot -> {
      var operations = new ArrayList<>(in(snapshot));
      operations.addAll(other.in(snapshot));
      return operations;
    };
  }
}
