package dev.muster.replica.object;

import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A cache of the parsed trees of recently written objects. The next change of such an object needs
 * no parsing and finds unchanged parts by identity. The size of the objects' JSON bounds it.
 * Thread-safe.
 */
public final class RecentTrees {
  private record Key(String storage, String namespace, String name) {}

  private final long capacity;
  private final LinkedHashMap<Key, StoredObject> objects = new LinkedHashMap<>();
  private long size;

  /**
   * @param capacity the maximum total JSON bytes of the cached objects; a tree takes several times
   *     as much memory
   */
  public RecentTrees(long capacity) {
    this.capacity = capacity;
  }

  /**
   * Caches the tree of an object that was just written, in place of its previous tree.
   *
   * @param tree equal to the object's JSON
   */
  public synchronized void remember(String storage, StoredObject object, WrittenTree tree) {
    var key = new Key(storage, object.namespace(), object.simpleName());
    var before = objects.get(key);
    if (before != null && before.revision() > object.revision()) {
      return;
    }
    forget(objects.remove(key));
    object.remember(tree);
    objects.put(key, object);
    size += object.json().length;
    for (var oldest = objects.firstEntry(); size > capacity; oldest = objects.firstEntry()) {
      forget(objects.remove(oldest.getKey()));
    }
  }

  private void forget(@Nullable StoredObject object) {
    if (object != null) {
      object.remember(null);
      size -= object.json().length;
    }
  }
}
