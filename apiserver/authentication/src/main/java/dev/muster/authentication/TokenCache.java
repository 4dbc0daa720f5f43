package dev.muster.authentication;

import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Remembers what was found out about tokens. Safe for any thread. Bounded: of two generations the
 * older one is forgotten when the younger one is full, and what is used moves to the younger one.
 */
public final class TokenCache<K, V> {
  private final int generation;
  private volatile ConcurrentHashMap<K, V> young = new ConcurrentHashMap<>();
  private volatile ConcurrentHashMap<K, V> old = new ConcurrentHashMap<>();

  /**
   * @param most how many tokens are remembered at the most
   */
  public TokenCache(int most) {
    this.generation = Math.max(1, most / 2);
  }

  public @Nullable V get(K key) {
    var found = young.get(key);
    return found != null || !old.containsKey(key) ? found : moved(key);
  }

  /** Under the lock, so that nothing comes back that was removed meanwhile. */
  private synchronized @Nullable V moved(K key) {
    var found = young.get(key);
    if (found == null) {
      found = old.get(key);
      if (found != null) {
        put(key, found);
      }
    }
    return found;
  }

  public synchronized void put(K key, V value) {
    if (young.size() >= generation) {
      old = young;
      young = new ConcurrentHashMap<>();
    }
    young.put(key, value);
  }

  public synchronized void remove(K key) {
    young.remove(key);
    old.remove(key);
  }

  public synchronized void clear() {
    old = new ConcurrentHashMap<>();
    young = new ConcurrentHashMap<>();
  }

  public int size() {
    return young.size() + old.size();
  }
}
