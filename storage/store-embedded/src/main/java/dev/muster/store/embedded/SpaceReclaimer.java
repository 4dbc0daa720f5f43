package dev.muster.store.embedded;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Frees the space of deleted objects on a full disk. The database does this on its own only after
 * enough writes follow the deletes, which never happens on a full disk. Only the committer thread
 * uses it; a worker thread does the work.
 */
final class SpaceReclaimer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedStore.class);
  private static final long PAUSE_MILLIS = 2_000;

  private final Database db;
  private final DataFolder folder;
  private @Nullable Thread worker;
  private long next;

  SpaceReclaimer(Database db, DataFolder folder) {
    this.db = db;
    this.folder = folder;
  }

  /** Starts the work; returns false while it runs or when it ran a moment ago. */
  boolean start(long now) {
    if (now < next || (worker != null && worker.isAlive())) {
      return false;
    }
    next = now + PAUSE_MILLIS;
    worker = Thread.ofPlatform().daemon().name("embedded-store-reclaim").start(this::run);
    return true;
  }

  private void run() {
    try {
      db.reclaim(folder::freeBytes);
    } catch (RocksDBException | RuntimeException e) {
      LOG.debug("no space can be given back to {} now", folder.path(), e);
    }
  }

  @Override
  public void close() {
    var last = worker;
    if (last != null) {
      try {
        last.join(TimeUnit.MINUTES.toMillis(1));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
