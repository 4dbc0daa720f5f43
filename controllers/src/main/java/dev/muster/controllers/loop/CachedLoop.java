package dev.muster.controllers.loop;

import dev.muster.controllers.client.ApiRequests;
import dev.muster.model.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Guarded by its own lock; built by one thread, closed by any. A queue of keys that are worked on
 * by looking at caches. Caches come first, as work needs them; keys that they name meanwhile wait.
 * Work begins when every cache has seen what was there at the start.
 */
public final class CachedLoop<K> implements AutoCloseable {
  private final String name;
  private final ApiRequests requests;
  private final List<ObjectCache> caches = new ArrayList<>();
  private final Set<K> early = new LinkedHashSet<>();
  private @Nullable WorkQueue<K> queue;

  public CachedLoop(String name, ApiRequests requests) {
    this.name = name;
    this.requests = requests;
  }

  /** Follows a resource until the loop is closed. */
  public ObjectCache cache(
      String path, UnaryOperator<JsonObject> keep, ObjectCache.Listener listener) {
    var cache = ObjectCache.start(requests, path, keep, listener);
    caches.add(cache);
    return cache;
  }

  /**
   * Begins to work.
   *
   * @param parallel how many keys are worked on at a time
   */
  public synchronized CachedLoop<K> start(
      int parallel, Duration longestPause, WorkQueue.Work<K> work) {
    var all = List.copyOf(caches);
    var started =
        new WorkQueue<K>(
            name,
            parallel,
            longestPause,
            key -> {
              ObjectCache.awaitSynced(all);
              return work.finish(key);
            });
    queue = started;
    early.forEach(started::add);
    early.clear();
    return this;
  }

  public synchronized void add(K key) {
    var current = queue;
    if (current == null) {
      early.add(key);
    } else {
      current.add(key);
    }
  }

  public synchronized void addAfter(K key, Duration time) {
    var current = queue;
    if (current == null) {
      early.add(key);
    } else {
      current.addAfter(key, time);
    }
  }

  @Override
  public void close() {
    caches.forEach(ObjectCache::close);
    WorkQueue<K> current;
    synchronized (this) {
      current = queue;
    }
    if (current != null) {
      current.close();
    }
  }
}
