package dev.muster.controllers.loop;

import dev.muster.controllers.ObjectKey;
import dev.muster.controllers.client.JsonTrees;
import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A cache of the objects of one resource. It may lag behind the API server, but is never older than
 * writes that were recorded with {@link #written}. The reflector's thread and writers change it;
 * any thread may read it.
 */
public final class ObjectCache implements AutoCloseable {
  private static final int REMEMBERED = 1000;

  /** Receives each change, on the thread that made it. */
  public interface Listener {
    /**
     * @param old null for a new object
     * @param now null for a deleted object
     */
    void changed(@Nullable JsonObject old, @Nullable JsonObject now);
  }

  /** The writes of one object, by version. */
  private record Writes(ObjectKey place, TreeSet<Long> versions) {}

  private final Map<String, Map<String, JsonObject>> namespaces = new ConcurrentHashMap<>();
  private final Set<String> deleted = ConcurrentHashMap.newKeySet();
  private final Map<String, Boolean> gone =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
          return size() > REMEMBERED;
        }
      };

  /** By object UID: writes that the reflector has not reported yet. */
  private final Map<String, Writes> writes = new HashMap<>();

  private final Listener listener;
  private volatile Loops.@Nullable Followed followed;

  /** Without a reflector: the caller adds the objects. */
  ObjectCache(Listener listener) {
    this.listener = listener;
  }

  /**
   * Follows a resource.
   *
   * @param path of the collection, perhaps with a query that begins with a question mark
   * @param keep selects the needed parts of an object; the metadata must stay
   * @param readAnew runs after each complete read, at the start and after each gap
   */
  static ObjectCache start(
      Loops loops,
      String path,
      UnaryOperator<JsonObject> keep,
      Listener listener,
      Runnable readAnew) {
    var cache = new ObjectCache(listener);
    cache.followed =
        loops.follow(
            path,
            map -> keep.apply(JsonTrees.object(map)),
            new Reflector.Handler<>() {
              @Override
              public void seen(JsonObject object) {
                cache.seen(object);
              }

              @Override
              public void gone(JsonObject object) {
                cache.gone(object);
              }

              @Override
              public void readAnew(String version) {
                cache.readAnew(version);
                readAnew.run();
              }
            });
    return cache;
  }

  /** Keeps the whole object except {@code managedFields}. */
  public static JsonObject whole(JsonObject object) {
    return object.withoutAt("metadata", "managedFields");
  }

  /** Keeps the metadata that a cache needs. */
  public static JsonObject identity(JsonObject object) {
    var metadata = object.object("metadata");
    return JsonObject.of(
        "namespace",
        metadata.string("namespace"),
        "name",
        metadata.string("name"),
        "uid",
        metadata.string("uid"),
        "resourceVersion",
        metadata.string("resourceVersion"));
  }

  public boolean synced() {
    var current = followed;
    return current == null || current.synced();
  }

  /** Waits until all caches contain the initial objects. */
  public static void awaitSynced(List<ObjectCache> caches) {
    try {
      for (var cache : caches) {
        var current = cache.followed;
        if (current != null) {
          current.awaitSynced();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("ended before the first state was read", e);
    }
  }

  public @Nullable JsonObject get(String namespace, String name) {
    var objects = namespaces.get(namespace);
    return objects == null ? null : objects.get(name);
  }

  /** By name; the namespace is empty for cluster-scoped objects. */
  public Collection<JsonObject> list(String namespace) {
    var objects = namespaces.get(namespace);
    return objects == null ? List.of() : objects.values();
  }

  public List<JsonObject> all() {
    return namespaces.values().stream().flatMap(objects -> objects.values().stream()).toList();
  }

  /**
   * Records the API server's response to a write, so that the next read sees it. The listener is
   * not called for it, neither now nor when the reflector reports it, but it is called for earlier
   * changes by other clients.
   */
  public void written(JsonObject object) {
    synchronized (this) {
      var uid = uid(object);
      if (!deleted.contains(uid) && !gone.containsKey(uid) && replaces(object, find(object))) {
        put(object);
        writes
            .computeIfAbsent(uid, key -> new Writes(ObjectKey.of(object), new TreeSet<>()))
            .versions()
            .add(version(object));
      }
    }
  }

  void seen(JsonObject object) {
    JsonObject before;
    JsonObject now;
    synchronized (this) {
      if (deleted.contains(uid(object))) {
        return;
      }
      boolean others = isOfOthersBeforeWrites(object);
      before = find(object);
      boolean replaces = replaces(object, before);
      if (!replaces && !others) {
        return;
      }
      if (replaces) {
        put(object);
      }
      now = find(object);
    }
    listener.changed(before, now);
  }

  private void put(JsonObject object) {
    var metadata = object.object("metadata");
    namespaces
        .computeIfAbsent(metadata.string("namespace"), name -> new ConcurrentSkipListMap<>())
        .put(metadata.string("name"), object);
  }

  private @Nullable JsonObject find(JsonObject object) {
    var metadata = object.object("metadata");
    return get(metadata.string("namespace"), metadata.string("name"));
  }

  /**
   * Whether an event is an earlier change by another client that the response to our patch already
   * contains.
   */
  private boolean isOfOthersBeforeWrites(JsonObject object) {
    var outstanding = writes.get(uid(object));
    if (outstanding == null) {
      return false;
    }
    var versions = outstanding.versions();
    boolean own = versions.contains(version(object));
    versions.headSet(version(object), true).clear();
    if (versions.isEmpty()) {
      writes.remove(uid(object));
    }
    return !own && !versions.isEmpty();
  }

  /**
   * Forgets older writes that the new list does not contain: those objects were deleted within a
   * gap.
   */
  void readAnew(String version) {
    var lost = new ArrayList<JsonObject>();
    synchronized (this) {
      long read = version(version);
      writes
          .values()
          .removeIf(
              outstanding -> {
                boolean isLost = outstanding.versions().last() <= read;
                var place = outstanding.place();
                var object = isLost ? get(place.namespace(), place.name()) : null;
                if (object != null) {
                  lost.add(object);
                }
                return isLost;
              });
    }
    lost.forEach(object -> remove(object, true));
  }

  /** Records a deletion that the API server has confirmed, before the reflector reports it. */
  public void deleted(JsonObject object) {
    synchronized (this) {
      deleted.add(uid(object));
      writes.remove(uid(object));
      if (!remove(object, false)) {
        deleted.remove(uid(object));
      }
    }
  }

  /** The response to a write may arrive after the event that its object is deleted. */
  void gone(JsonObject object) {
    synchronized (this) {
      gone.put(uid(object), true);
      writes.remove(uid(object));
    }
    remove(object, true);
    deleted.remove(uid(object));
  }

  private boolean remove(JsonObject object, boolean tells) {
    var metadata = object.object("metadata");
    var objects = namespaces.get(metadata.string("namespace"));
    if (objects == null) {
      return false;
    }
    var name = metadata.string("name");
    var before = objects.get(name);
    if (before != null && uid(before).equals(uid(object)) && objects.remove(name, before)) {
      if (tells) {
        listener.changed(before, null);
      }
      return true;
    }
    return false;
  }

  private static String uid(JsonObject object) {
    return object.object("metadata").string("uid");
  }

  private static boolean replaces(JsonObject object, @Nullable JsonObject before) {
    return before == null || version(object) > version(before) || version(object) < 0;
  }

  private static long version(JsonObject object) {
    return version(object.object("metadata").string("resourceVersion"));
  }

  /** If a server's versions are no numbers, every event counts as new. */
  private static long version(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  @Override
  public void close() {
    var current = followed;
    if (current != null) {
      current.close();
    }
  }
}
