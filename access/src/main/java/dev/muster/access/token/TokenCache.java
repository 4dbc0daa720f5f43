package dev.muster.access.token;

import dev.muster.access.TokenHash;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Remembers what was found out about tokens. Safe for any thread. Bounded: of two generations the
 * older one is forgotten when the younger one is full, and what is used moves to the younger one.
 */
final class TokenCache<V> {
  private final int generation;
  private volatile ConcurrentHashMap<TokenHash, V> young = new ConcurrentHashMap<>();
  private volatile ConcurrentHashMap<TokenHash, V> old = new ConcurrentHashMap<>();

  /**
   * @param most how many tokens are remembered at the most
   */
  TokenCache(int most) {
    this.generation = Math.max(1, most / 2);
  }

  @Nullable V get(TokenHash hash) {
    var found = young.get(hash);
    if (found == null) {
      found = old.get(hash);
      if (found != null) {
        put(hash, found);
      }
    }
    return found;
  }

  void put(TokenHash hash, V value) {
    if (young.size() >= generation) {
      turn();
    }
    young.put(hash, value);
  }

  void remove(TokenHash hash) {
    young.remove(hash);
    old.remove(hash);
  }

  private synchronized void turn() {
    if (young.size() >= generation) {
      old = young;
      young = new ConcurrentHashMap<>();
    }
  }

  int size() {
    return young.size() + old.size();
  }
}
