package dev.muster.store.etcd;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** How the store's keys are spelled in etcd: behind a prefix that keeps us apart from others. */
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

  /** The store's name of a key, or null when it is not one of ours. */
  @Nullable String fromEtcd(byte[] key) {
    var shared = first.length;
    if (key.length < shared || !Arrays.equals(key, 0, shared, first, 0, shared)) {
      return null;
    }
    return new String(key, shared - 1, key.length - shared + 1, StandardCharsets.UTF_8);
  }

  /** Where our keys begin. */
  byte[] first() {
    return first;
  }

  /** The first key that is greater than all of ours. */
  byte[] end() {
    return end;
  }
}
