package dev.muster.replica;

import dev.muster.model.ObjectName;
import dev.muster.replica.keyspace.KeySpace;
import dev.muster.replica.keyspace.KeySpaceDefinitions;
import dev.muster.replica.object.StoredObject;
import dev.muster.replica.snapshot.Collection;
import dev.muster.store.Commit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Computes the key space from the definitions. Skips a definition that fails, whether a commit or
 * an image brought it, so that it harms no other definition and all servers have the same
 * collections. Only the applier thread uses it.
 */
final class DefinedKeySpace {
  private static final Logger LOG = LoggerFactory.getLogger(DefinedKeySpace.class);

  private final KeySpaceDefinitions definitions;

  DefinedKeySpace(KeySpaceDefinitions definitions) {
    this.definitions = definitions;
  }

  Iterable<String> storages() {
    return definitions.storages();
  }

  /** Whether a commit changes definitions. */
  boolean isChangedBy(Commit commit) {
    if (definitions.storages().isEmpty()) {
      return false;
    }
    for (var change : commit.changes()) {
      if (isDefinition(change.key())) {
        return true;
      }
    }
    return false;
  }

  boolean isDefinition(String key) {
    for (var storage : definitions.storages()) {
      if (key.startsWith(storage) && key.startsWith("/", storage.length())) {
        return true;
      }
    }
    return false;
  }

  /** The differences between two states of a collection of definitions. */
  static List<KeySpaceDefinitions.Change> changes(
      @Nullable Collection before, List<StoredObject> after) {
    var changes = new ArrayList<KeySpaceDefinitions.Change>();
    var gone = new HashMap<ObjectName, StoredObject>();
    if (before != null) {
      before.all().forEach(object -> gone.put(object.name(), object));
    }
    for (var object : after) {
      var old = gone.remove(object.name());
      if (old == null || old.revision() != object.revision()) {
        changes.add(new KeySpaceDefinitions.Change(old, object));
      }
    }
    gone.values().forEach(old -> changes.add(new KeySpaceDefinitions.Change(old, null)));
    return changes;
  }

  KeySpace after(KeySpace before, List<KeySpaceDefinitions.Change> changes) {
    if (changes.isEmpty()) {
      return before;
    }
    try {
      return definitions.after(before, changes);
    } catch (RuntimeException | StackOverflowError wrong) {
      if (changes.size() > 1) {
        var keySpace = before;
        for (var change : changes) {
          keySpace = after(keySpace, List.of(change));
        }
        return keySpace;
      }
      var change = changes.getFirst();
      LOG.error("The definition {} cannot be followed", change.after(), wrong);
      return change.after() == null
          ? before
          : after(before, List.of(new KeySpaceDefinitions.Change(change.before(), null)));
    }
  }
}
