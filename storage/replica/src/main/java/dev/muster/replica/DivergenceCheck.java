package dev.muster.replica;

import dev.muster.replica.snapshot.ReplicaException;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.store.Store;
import dev.muster.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the replica with an image of the store at the same revision, by key and mod revision. A
 * difference is a bug: the check logs and counts it, and the replica loads a new image. One virtual
 * thread runs it.
 */
final class DivergenceCheck implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(DivergenceCheck.class);
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int KEYS_LOGGED = 10;

  private final Store store;
  private final Replica replica;
  private final Duration interval;
  private final Runnable onDivergence;
  private final AtomicLong divergences = new AtomicLong();

  DivergenceCheck(Store store, Replica replica, Duration interval, Runnable onDivergence) {
    this.store = store;
    this.replica = replica;
    this.interval = interval;
    this.onDivergence = onDivergence;
  }

  long divergences() {
    return divergences.get();
  }

  @Override
  public void run() {
    try {
      while (true) {
        Thread.sleep(interval);
        if (replica.ready()) {
          check();
        }
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  private void check() throws InterruptedException {
    try {
      var different = differences();
      if (!different.isEmpty()) {
        divergences.addAndGet(different.size());
        LOG.error(
            "The replica differs from the store in {} keys, such as {}",
            different.size(),
            different.subList(0, Math.min(KEYS_LOGGED, different.size())));
        onDivergence.run();
      }
    } catch (StoreException
        | ReplicaException
        | ExecutionException
        | TimeoutException inconclusive) {
      LOG.debug("The replica could not be compared with the store", inconclusive);
    }
  }

  /** The keys that differ between the store and the replica at one revision. */
  List<String> differences() throws InterruptedException, ExecutionException, TimeoutException {
    try (var image = store.image()) {
      replica.applied(image.revision()).get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      var snapshot =
          replica
              .at(image.revision())
              .orElseThrow(() -> new ReplicaException.Expired(image.revision(), replica.oldest()));
      var different = new ArrayList<String>();
      long entries = 0;
      for (var entry : image) {
        entries++;
        if (revision(snapshot, entry.key()) != entry.modRevision()) {
          different.add(entry.key());
        }
      }
      long surplus = held(snapshot) - entries;
      if (different.isEmpty() && surplus != 0) {
        different.add(surplus + " keys that are not in the store");
      }
      return different;
    }
  }

  private static long revision(Snapshot snapshot, String key) {
    var place = snapshot.keySpace().locate(key);
    if (place == null) {
      var entry = snapshot.raw().get(key);
      return entry == null ? 0 : entry.modRevision();
    }
    var collection = snapshot.collection(place.storage());
    var object = collection.readable(place.name());
    if (object != null) {
      return object.revision();
    }
    var lost = collection.lost(place.name());
    return lost == null ? 0 : lost.object().revision();
  }

  private static long held(Snapshot snapshot) {
    long held = snapshot.raw().size();
    for (var storage : snapshot.storages()) {
      var collection = snapshot.collection(storage);
      held += collection.size() + collection.unreadableCount();
    }
    return held;
  }
}
