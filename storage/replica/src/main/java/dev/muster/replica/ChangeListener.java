package dev.muster.replica;

import dev.muster.replica.snapshot.Snapshot;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Owned by the applier's thread. Tells only of snapshots in which some of a few collections are
 * others than before, so that who waits for those is not woken by every write of the cluster.
 */
final class ChangeListener implements Runnable {
  private final Supplier<Snapshot> current;
  private final Set<String> storages;
  private final Runnable action;
  private long seen = -1;

  ChangeListener(Supplier<Snapshot> current, Set<String> storages, Runnable action) {
    this.current = current;
    this.storages = Set.copyOf(storages);
    this.action = action;
  }

  @Override
  public void run() {
    var snapshot = current.get();
    long changed = 0;
    for (var storage : storages) {
      changed = Math.max(changed, snapshot.collection(storage).changed());
    }
    if (changed != seen) {
      seen = changed;
      action.run();
    }
  }
}
