package dev.muster.authentication;

import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A bounded cache of token lookups. It keeps two generations: a hit moves an entry to the younger
 * one, and when the younger one is full, the older one is dropped. Thread-safe.
 */
public final class TokenCache<K, V> {
  private final int generation;
  private volatile ConcurrentHashMap<K, V> young = new ConcurrentHashMap<>();
  private volatile ConcurrentHashMap<K, V> old = new ConcurrentHashMap<>();

  /**
   * @param most the largest number of tokens to keep
   */
  public TokenCache(int most) {
    this.generation = Math.max(1, most / 2);
  }

  public @Nullable V get(K key) {
    var found = young.get(key);
    return found != null || !old.containsKey(key) ? found : moved(key);
  }

  /** Runs under the lock, so that a concurrently removed entry does not come back. */
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
