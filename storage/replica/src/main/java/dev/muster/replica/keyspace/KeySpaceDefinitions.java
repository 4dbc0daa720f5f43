package dev.muster.replica.keyspace;

import dev.muster.replica.object.StoredObject;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Computes the key space from objects in the store, such as CustomResourceDefinitions. Only the
 * applier calls it, for every commit that changes such an object and before it publishes that
 * commit. So the snapshot of a revision has exactly the collections that this revision defines.
 * Implementations are pure functions and do not block. A definition for which they throw defines
 * nothing.
 */
public interface KeySpaceDefinitions {

  /** The key space never changes. */
  KeySpaceDefinitions NONE =
      new KeySpaceDefinitions() {
        @Override
        public Set<String> storages() {
          return Set.of();
        }

        @Override
        public KeySpace after(KeySpace before, List<Change> changes) {
          return before;
        }
      };

  /**
   * A definition before and after a commit; one of the two may be null. Unreadable objects define
   * nothing.
   */
  record Change(@Nullable StoredObject before, @Nullable StoredObject after) {}

  /** The built-in collections whose objects define other collections. */
  Set<String> storages();

  /**
   * The key space after some definitions changed; the same instance when nothing changes. Unchanged
   * collections keep their {@link CollectionSpec}; built-in collections always do.
   */
  KeySpace after(KeySpace before, List<Change> changes);
}
