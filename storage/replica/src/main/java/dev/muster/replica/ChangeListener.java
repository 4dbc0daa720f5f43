package dev.muster.replica;

import dev.muster.replica.snapshot.Snapshot;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Runs an action for each snapshot in which one of a few collections changed, so that writes to
 * other collections do not wake its subscriber. Only the applier thread uses it.
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
