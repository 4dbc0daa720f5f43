package dev.muster.controllers.loop;

import dev.muster.model.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A work queue over object caches. Create the caches first, then start the work; keys that the
 * caches add meanwhile wait. Work begins when every cache contains the initial objects. One thread
 * builds it, any thread may close it. Guarded by its own lock.
 */
public final class CachedLoop<K> implements AutoCloseable {
  private final String name;
  private final Loops loops;
  private final List<ObjectCache> caches = new ArrayList<>();
  private final Set<K> early = new LinkedHashSet<>();
  private Loops.@Nullable Queue<K> queue;

  public CachedLoop(String name, Loops loops) {
    this.name = name;
    this.loops = loops;
  }

  /** Follows a resource until the loop is closed. */
  public ObjectCache cache(
      String path, UnaryOperator<JsonObject> keep, ObjectCache.Listener listener) {
    return cache(path, keep, listener, () -> {});
  }

  /**
   * Follows a resource until the loop is closed.
   *
   * @param readAnew runs after each complete read, at the start and after each gap. Objects that
   *     were created and deleted within a gap are not reported; work that also reads the API server
   *     may have seen them and must be repeated.
   */
  public ObjectCache cache(
      String path,
      UnaryOperator<JsonObject> keep,
      ObjectCache.Listener listener,
      Runnable readAnew) {
    var cache = ObjectCache.start(loops, path, keep, listener, readAnew);
    caches.add(cache);
    return cache;
  }

  /**
   * Begins the work.
   *
   * @param parallel the number of keys processed concurrently
   */
  public synchronized CachedLoop<K> start(
      int parallel, Duration longestPause, WorkQueue.Work<K> work) {
    var all = List.copyOf(caches);
    var started =
        loops.<K>queue(
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
    Loops.Queue<K> current;
    synchronized (this) {
      current = queue;
    }
    if (current != null) {
      current.close();
    }
  }
}
