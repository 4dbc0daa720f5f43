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
 * Written by the thread of its reflector and by those that write through it, read by any. The
 * objects of one resource as they were a moment ago: never older than what was written through it.
 */
public final class ObjectCache implements AutoCloseable {
  private static final int REMEMBERED = 1000;

  /** Is told of each change, on the thread that made it. */
  public interface Listener {
    /**
     * @param old null for an object that is new
     * @param now null for one that is gone
     */
    void changed(@Nullable JsonObject old, @Nullable JsonObject now);
  }

  /** Writes of one object, by their versions. */
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

  /** By the UID of their object, what was written and has not been seen yet. */
  private final Map<String, Writes> writes = new HashMap<>();

  private final Listener listener;
  private volatile Loops.@Nullable Followed followed;

  /** Without a reflector: holds what it is shown. */
  ObjectCache(Listener listener) {
    this.listener = listener;
  }

  /**
   * Follows a resource.
   *
   * @param path of the collection, perhaps with a query that begins with a question mark
   * @param keep what of an object is needed; its metadata must stay
   * @param readAnew runs when all was read, at the start and after each gap
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

  /** Nothing of an object is left out but what nobody asks for. */
  public static JsonObject whole(JsonObject object) {
    return object.withoutAt("metadata", "managedFields");
  }

  /** Of its metadata, what a cache cannot do without. */
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

  /** Waits until all caches have seen what was there at the start. */
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

  /** By name; the namespace is empty for what has none. */
  public Collection<JsonObject> list(String namespace) {
    var objects = namespaces.get(namespace);
    return objects == null ? List.of() : objects.values();
  }

  public List<JsonObject> all() {
    return namespaces.values().stream().flatMap(objects -> objects.values().stream()).toList();
  }

  /**
   * Takes what the API server answered to a write, so that the next look knows of it. The listener
   * is not told, neither now nor when the write is seen, but of what somebody else has changed
   * before that.
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

  /** A change that a patch was merged into, and that the cache has with the answer to the patch. */
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

  /** What was written before that, and was not there to be read, went within a gap. */
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

  /** Takes note of a delete that the API server has confirmed before it is seen. */
  public void deleted(JsonObject object) {
    synchronized (this) {
      deleted.add(uid(object));
      writes.remove(uid(object));
      if (!remove(object, false)) {
        deleted.remove(uid(object));
      }
    }
  }

  /** The answer to a write may come after the news that its object is gone. */
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

  /** Of a server whose versions are no numbers, each is news and nothing is known to be older. */
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
