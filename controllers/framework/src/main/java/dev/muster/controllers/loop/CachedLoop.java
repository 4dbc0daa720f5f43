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
 * Guarded by its own lock; built by one thread, closed by any. A queue of keys that are worked on
 * by looking at caches. Caches come first, as work needs them; keys that they name meanwhile wait.
 * Work begins when every cache has seen what was there at the start.
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
   * @param readAnew runs when all was read, at the start and after each gap. What came and went
   *     within a gap is told by nobody; work that also asks the API server may have seen it, and is
   *     to be done once more.
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
   * Begins to work.
   *
   * @param parallel how many keys are worked on at a time
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
