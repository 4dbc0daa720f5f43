package dev.muster.store.embedded;

import dev.muster.store.CommitWindow;
import dev.muster.store.History;
import dev.muster.store.StoreException;
import dev.muster.store.embedded.CommitterTask.PendingCommit;
import dev.muster.store.embedded.CommitterTask.PendingCompaction;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdb.WriteBatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The only writer of an embedded store. It takes all waiting commits, makes them durable with one
 * flush, and then completes them. It also expires keys and trims the log. Its own thread runs it.
 *
 * <p>After a failed write the content of the disk is unknown, so the committer refuses all writes
 * until the store is opened again. A full disk is an exception: the committer tries again with the
 * next commit. It retries transactions that free space for a while, because the compaction of the
 * database takes the remaining space only for moments.
 */
final class Committer implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedStore.class);
  private static final String WRITES_NO_MORE =
      "the store in {} takes no more writes, reads go on: {}; see to its disk, then restart";
  private static final long RETRY_MILLIS = 1000;
  private static final long CLOCK_MILLIS = 1000;
  private static final long MAKES_ROOM_NANOS = TimeUnit.SECONDS.toNanos(25);
  private static final long BETWEEN_TRIES_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final DataFolder folder;
  private final Database db;
  private final DiskSpace space;
  private final SpaceReclaimer reclaim;
  private final InstantSource clock;
  private final CommitWindow window;
  private final History history;
  private final Expiries expiries;
  private final Flush flush;
  private final Thread thread;
  private final CommitQueue queue;
  private volatile long revision;
  private volatile long compacted;
  private final LongAdder flushes = new LongAdder();
  private volatile @Nullable StoreException stopped;
  private long nextExpiry;
  private long nextSample;
  private boolean reclaimOwed;

  Committer(
      DataFolder folder,
      Database db,
      EmbeddedOptions options,
      InstantSource clock,
      CommitWindow window,
      long revision) {
    this.folder = folder;
    this.db = db;
    space = new DiskSpace(folder, options, clock.millis());
    reclaim = new SpaceReclaimer(db, folder);
    this.clock = clock;
    this.window = window;
    this.revision = revision;
    compacted = db.compactedRevision();
    history = new History(options.history());
    expiries = new Expiries(db);
    flush = new Flush(db);
    nextExpiry = expiries.next();
    nextSample = options.history().isZero() ? Long.MAX_VALUE : clock.millis();
    thread = Thread.ofPlatform().daemon().name("embedded-store").unstarted(this);
    queue = new CommitQueue(() -> LockSupport.unpark(thread));
  }

  void start() {
    thread.start();
  }

  long revision() {
    return revision;
  }

  long compacted() {
    return compacted;
  }

  long flushes() {
    return flushes.sum();
  }

  /** Submits a task; the committer thread completes it. */
  void submit(CommitterTask request) {
    var failure = queue.isClosing() ? new StoreException.Closed() : stopped;
    if (failure != null) {
      request.fail(failure);
      return;
    }
    queue.add(request);
  }

  @Override
  public void run() {
    while (!queue.isClosing() || !queue.isEmpty()) {
      try {
        runOnce();
      } catch (RocksDBException e) {
        // On a full disk, trimming can wait.
        if (!isFull(e)) {
          stop(e);
        }
      } catch (RuntimeException | Error e) {
        stop(e);
        flush.doubt(new StoreException.Unavailable("the write failed: " + e, e));
      }
      var failure = stopped;
      if (failure != null) {
        queue.refuseAll(failure);
      }
    }
    queue.finish();
    reclaim.close();
    flush.close();
  }

  private void runOnce() throws RocksDBException {
    if (stopped != null) {
      queue.pause(() -> LockSupport.parkNanos(this, TimeUnit.MILLISECONDS.toNanos(CLOCK_MILLIS)));
      return;
    }
    var now = clock.millis();
    if (now >= nextSample) {
      nextSample = now + history.intervalMillis();
      var old = history.sample(now, revision);
      if (old > compacted) {
        forget(old);
      }
    }
    if (reclaimOwed) {
      reclaimOwed = !reclaim.start(now);
    }
    if (queue.isEmpty() && now < nextExpiry) {
      if (!space.tendReserve(now)) {
        pause(now);
      }
      return;
    }
    boolean room = space.hasRoom(now);
    flush.start(revision);
    if (now >= nextExpiry) {
      expire(now);
    }
    while (!flush.isFull()) {
      switch (queue.poll()) {
        case PendingCommit commit when !room && !commit.transaction().makesRoom() ->
            commit.fail(space.full(null));
        case PendingCommit commit -> decide(commit, now);
        case PendingCompaction compaction -> {
          finish(now);
          compact(compaction);
          flush.start(revision);
        }
        case null -> {
          finish(now);
          return;
        }
      }
    }
    finish(now);
  }

  private void decide(PendingCommit commit, long now) {
    try {
      flush.add(commit, now);
    } catch (RocksDBException e) {
      commit.fail(DatabaseFiles.unreadable(e));
      stop(e);
    }
  }

  private void expire(long now) throws RocksDBException {
    var due = expiries.due(now);
    if (due.isEmpty()) {
      nextExpiry = expiries.next();
    } else {
      flush.expire(due);
    }
  }

  private void finish(long now) {
    if (stopped != null) {
      flush.fail(new StoreException.Unavailable("the store stopped", stopped));
      return;
    }
    if (!flush.hasChanges()) {
      flush.acknowledge();
      return;
    }
    try {
      flush.write();
    } catch (RocksDBException e) {
      if (isFull(e)) {
        nextExpiry = Math.max(nextExpiry, now + RETRY_MILLIS);
        space.exhausted(now);
        tryAgain(flush.fail(space.full(e), this::mayTryAgain));
      } else {
        stop(e);
        flush.doubt(new StoreException.Unavailable("the write failed: " + e.getMessage(), e));
      }
      return;
    }
    flushes.increment();
    revision = flush.revision();
    expiries.added(flush.earliestExpiry());
    nextExpiry = Math.min(nextExpiry, flush.earliestExpiry());
    window.append(flush.commits());
    flush.acknowledge();
    reclaimOwed |= !space.hasRoom(now);
  }

  private boolean mayTryAgain(PendingCommit commit) {
    return !queue.isClosing()
        && commit.transaction().makesRoom()
        && System.nanoTime() - commit.since() < MAKES_ROOM_NANOS;
  }

  private void tryAgain(List<PendingCommit> commits) {
    if (!commits.isEmpty()) {
      queue.addAgain(commits);
      LockSupport.parkNanos(this, BETWEEN_TRIES_NANOS);
    }
  }

  private void compact(PendingCompaction compaction) {
    try {
      if (compaction.revision() > revision) {
        compaction
            .outcome()
            .completeExceptionally(
                new IllegalArgumentException(
                    "revision " + compaction.revision() + " is in the future"));
        return;
      }
      if (compaction.revision() > compacted) {
        forget(compaction.revision());
      }
      compaction.outcome().complete(null);
    } catch (RocksDBException e) {
      compaction.fail(isFull(e) ? space.full(e) : DatabaseFiles.unreadable(e));
      if (!isFull(e)) {
        stop(e);
      }
    }
  }

  private void forget(long throughRevision) throws RocksDBException {
    compacted = throughRevision;
    window.forget(throughRevision);
    try (var batch = new WriteBatch()) {
      db.forget(batch, throughRevision);
      db.write(batch);
    }
    db.dropForgottenFiles(throughRevision);
  }

  private static boolean isFull(RocksDBException e) {
    var status = e.getStatus();
    return status != null && status.getSubCode() == Status.SubCode.NoSpace;
  }

  /**
   * Stops all writes. Logs a disk failure as one line, and any other failure with its stack trace.
   */
  private void stop(Throwable cause) {
    if (stopped != null) {
      return;
    }
    var reason =
        switch (cause) {
          case RocksDBException failed when DatabaseFiles.isDamage(failed) ->
              "the database is damaged: " + DatabaseFiles.text(failed);
          case RocksDBException failed -> "a write failed: " + DatabaseFiles.text(failed);
          default -> String.valueOf(cause.getMessage());
        };
    if (cause instanceof RocksDBException || cause instanceof StoreException) {
      LOG.error(WRITES_NO_MORE, folder.path(), reason);
    } else {
      LOG.error(WRITES_NO_MORE, folder.path(), reason, cause);
    }
    stopped =
        new StoreException.Unavailable(
            "the store in %s stopped: %s".formatted(folder.path(), reason), cause);
  }

  /** The reason why the store refuses commits; empty when it accepts them. */
  String degradedReason() {
    var failure = stopped;
    return failure == null ? space.degradedReason() : String.valueOf(failure.getMessage());
  }

  private void pause(long now) {
    // While keys have an expiry, check the clock every second, because clocks are set and machines
    // sleep.
    boolean soon = nextExpiry != Long.MAX_VALUE || reclaimOwed;
    var wake = soon ? Math.min(nextSample, now + CLOCK_MILLIS) : nextSample;
    var pause = Math.max(1, Math.min(Math.min(wake, nextExpiry), space.nextIdleLook()) - now);
    queue.pause(() -> LockSupport.parkNanos(this, TimeUnit.MILLISECONDS.toNanos(pause)));
    if (clock.millis() >= space.nextIdleLook()) {
      space.check(clock.millis());
    }
  }

  /** Processes all waiting tasks, then ends the thread. */
  void close() throws InterruptedException {
    queue.close();
    thread.join();
  }
}
