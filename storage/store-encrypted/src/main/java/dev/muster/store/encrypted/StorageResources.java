package dev.muster.store.encrypted;

import dev.muster.model.GroupResource;
import org.jspecify.annotations.Nullable;

/** Tells which resource a key of the store belongs to. Safe for any thread. */
@FunctionalInterface
public interface StorageResources {

  /**
   * The resource, by the name that an EncryptionConfiguration has for it; null for keys that are no
   * objects of the API, such as allocations and leases of servers, which are never encrypted.
   */
  @Nullable GroupResource of(String key);
}
