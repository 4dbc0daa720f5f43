package dev.muster.store.etcd;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Maps the store's keys to etcd keys by a prefix, which separates them from the keys of other
 * applications.
 */
final class EtcdKeys {
  private final String prefix;
  private final byte[] first;
  private final byte[] end;

  EtcdKeys(String prefix) {
    this.prefix = prefix;
    first = (prefix + "/").getBytes(StandardCharsets.UTF_8);
    end = (prefix + "0").getBytes(StandardCharsets.UTF_8);
  }

  String prefix() {
    return prefix;
  }

  byte[] toEtcd(String key) {
    return (prefix + key).getBytes(StandardCharsets.UTF_8);
  }

  /** The store's key for an etcd key, or null when the etcd key does not have the prefix. */
  @Nullable String fromEtcd(byte[] key) {
    var shared = first.length;
    if (key.length < shared || !Arrays.equals(key, 0, shared, first, 0, shared)) {
      return null;
    }
    return new String(key, shared - 1, key.length - shared + 1, StandardCharsets.UTF_8);
  }

  /** The first etcd key of this store. */
  byte[] first() {
    return first;
  }

  /** The first etcd key after all keys of this store. */
  byte[] end() {
    return end;
  }
}
