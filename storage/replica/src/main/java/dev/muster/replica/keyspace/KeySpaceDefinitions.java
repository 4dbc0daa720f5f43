package dev.muster.replica.keyspace;

import dev.muster.replica.object.StoredObject;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Says how the key space follows from objects in it, such as the definitions of custom resources.
 * Asked by the applier alone, for every commit that changes such an object, before anybody sees
 * that commit: so the snapshot of a revision has exactly the collections that this revision
 * defines. A pure function that does not block. A definition for which it throws defines nothing.
 */
public interface KeySpaceDefinitions {

  /** The key space is what it was at the start. */
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
   * A defining object before and after a commit; one of them may be null. Objects that cannot be
   * read define nothing.
   */
  record Change(@Nullable StoredObject before, @Nullable StoredObject after) {}

  /** The collections, all of the first key space, whose objects define others. */
  Set<String> storages();

  /**
   * The key space after some definitions changed; the same instance when that makes no difference.
   * Collections that stay as they are keep their {@link CollectionSpec}. Those of the first key
   * space always do.
   */
  KeySpace after(KeySpace before, List<Change> changes);
}
