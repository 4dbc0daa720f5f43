package dev.muster.store.encrypted;

import dev.muster.model.GroupResource;
import org.jspecify.annotations.Nullable;

/** Maps a store key to its resource. Implementations are thread-safe. */
@FunctionalInterface
public interface StorageResources {

  /**
   * The resource, by its name in an EncryptionConfiguration. Null for keys that are not API
   * objects, such as allocations and server leases, which are never encrypted.
   */
  @Nullable GroupResource of(String key);
}
