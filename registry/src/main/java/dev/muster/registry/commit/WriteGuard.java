package dev.muster.registry.commit;

import dev.muster.replica.Snapshot;
import dev.muster.store.Operation;
import org.jspecify.annotations.Nullable;

/**
 * What a write rests on beside the objects that it reads: it must be in force in the snapshot that
 * an attempt looks at, and still be when that attempt is committed.
 */
@FunctionalInterface
public interface WriteGuard {
  /** Of a write that rests on nothing else. */
  WriteGuard NONE = snapshot -> null;

  /**
   * The condition of a commit that was decided in that snapshot, or null when there is none.
   *
   * @throws OutdatedTypeException when it is not in force there
   */
  Operation.@Nullable Check in(Snapshot snapshot);
}
