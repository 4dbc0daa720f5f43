package dev.muster.replica;

import dev.muster.store.Entry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The whole cluster at one revision. Immutable. */
public final class Snapshot {
  Snapshot() {}

  public long revision() {
    return Pending.body();
  }

  /**
   * The objects at that storage location ({@code /configmaps}, {@code /services/specs}); empty when
   * nothing is known of it.
   *
   * @throws ReplicaException.Expired when this is an old snapshot and the collection has changed
   *     more often since than is kept
   */
  public Collection collection(String storage) {
    return Pending.body();
  }

  /** The entry under a key that is not an API object's, or null. */
  public @Nullable Entry raw(String key) {
    return Pending.body();
  }

  /** The entries that are not API objects and whose key starts so, in key order. */
  public List<Entry> rawUnder(String prefix) {
    return Pending.body();
  }
}
