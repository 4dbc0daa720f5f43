package dev.muster.registry.commit;

import dev.muster.model.status.ApiException;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.store.Operation;
import java.util.ArrayList;
import java.util.List;

/**
 * What a write rests on beside the objects that it reads: it must be in force in the snapshot that
 * an attempt looks at, and still be when that attempt is committed.
 */
@FunctionalInterface
public interface WriteGuard {
  /** Of a write that rests on nothing else. */
  WriteGuard NONE = snapshot -> List.of();

  /**
   * What goes into the transaction of a commit that was decided in that snapshot.
   *
   * @throws OutdatedTypeException when the type is not in force there
   * @throws ApiException when the write is refused there for who sends it
   */
  List<Operation> in(Snapshot snapshot);

  /** Both. */
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
