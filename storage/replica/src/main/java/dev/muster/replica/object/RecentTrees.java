package dev.muster.replica.object;

import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Any thread may use it. Keeps with the objects that were written here last the trees that they
 * were written from, so that the next change need not parse them, and finds by identity what it
 * leaves as it was. Bounded by the size of the objects' JSON.
 */
public final class RecentTrees {
  private record Key(String storage, String namespace, String name) {}

  private final long capacity;
  private final LinkedHashMap<Key, StoredObject> objects = new LinkedHashMap<>();
  private long size;

  /**
   * @param capacity how many bytes of JSON the remembered objects have together; a tree takes
   *     several times as much
   */
  public RecentTrees(long capacity) {
    this.capacity = capacity;
  }

  /**
   * Remembers the tree of an object that was just written, and forgets the one before.
   *
   * @param tree the same as the object's JSON
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
