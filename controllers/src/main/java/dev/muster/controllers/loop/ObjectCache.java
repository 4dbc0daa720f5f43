package dev.muster.controllers.loop;

import dev.muster.controllers.client.ApiRequests;
import dev.muster.controllers.client.Trees;
import dev.muster.model.json.JsonObject;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

  private final Map<String, Map<String, JsonObject>> namespaces = new ConcurrentHashMap<>();
  private final Set<String> deleted = ConcurrentHashMap.newKeySet();
  private final Map<String, Boolean> gone =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
          return size() > REMEMBERED;
        }
      };
  private final Listener listener;
  private volatile @Nullable Reflector<JsonObject> reflector;

  /** Without a reflector: holds what it is shown. */
  ObjectCache(Listener listener) {
    this.listener = listener;
  }

  /**
   * Follows a resource.
   *
   * @param path of the collection, perhaps with a query that begins with a question mark
   * @param keep what of an object is needed; its metadata must stay
   */
  public static ObjectCache start(
      ApiRequests requests, String path, UnaryOperator<JsonObject> keep, Listener listener) {
    var cache = new ObjectCache(listener);
    cache.reflector =
        Reflector.start(
            requests,
            path,
            map -> keep.apply(Trees.object(map)),
            new Reflector.Handler<>() {
              @Override
              public void seen(JsonObject object) {
                cache.seen(object);
              }

              @Override
              public void gone(JsonObject object) {
                cache.gone(object);
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
    var current = reflector;
    return current == null || current.synced();
  }

  /** Waits until all caches have seen what was there at the start. */
  public static void awaitSynced(List<ObjectCache> caches) {
    try {
      for (var cache : caches) {
        var followed = cache.reflector;
        if (followed != null) {
          followed.awaitSynced();
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
   * is not told, neither now nor when the write is seen.
   */
  public void written(JsonObject object) {
    put(object, false);
  }

  void seen(JsonObject object) {
    put(object, true);
  }

  private void put(JsonObject object, boolean tells) {
    var metadata = object.object("metadata");
    JsonObject before;
    synchronized (this) {
      var uid = metadata.string("uid");
      if (deleted.contains(uid) || (!tells && gone.containsKey(uid))) {
        return;
      }
      var objects =
          namespaces.computeIfAbsent(
              metadata.string("namespace"), name -> new ConcurrentSkipListMap<>());
      before = objects.get(metadata.string("name"));
      if (before != null && !isNewer(object, before)) {
        return;
      }
      objects.put(metadata.string("name"), object);
    }
    if (tells) {
      listener.changed(before, object);
    }
  }

  /** Takes note of a delete that the API server has confirmed before it is seen. */
  public void deleted(JsonObject object) {
    deleted.add(uid(object));
    if (!remove(object, false)) {
      deleted.remove(uid(object));
    }
  }

  /** The answer to a write may come after the news that its object is gone. */
  void gone(JsonObject object) {
    synchronized (this) {
      gone.put(uid(object), true);
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

  private static boolean isNewer(JsonObject object, JsonObject before) {
    try {
      return version(object) > version(before);
    } catch (NumberFormatException e) {
      return true;
    }
  }

  private static long version(JsonObject object) {
    return Long.parseLong(object.object("metadata").string("resourceVersion"));
  }

  @Override
  public void close() {
    var current = reflector;
    if (current != null) {
      current.close();
    }
  }
}
