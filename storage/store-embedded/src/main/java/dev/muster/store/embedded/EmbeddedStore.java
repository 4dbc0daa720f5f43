package dev.muster.store.embedded;

import dev.muster.store.Commit;
import dev.muster.store.CommitResult;
import dev.muster.store.CommitWindow;
import dev.muster.store.Feed;
import dev.muster.store.Image;
import dev.muster.store.Store;
import dev.muster.store.StoreException;
import dev.muster.store.Transaction;
import dev.muster.store.embedded.CommitterTask.PendingCommit;
import dev.muster.store.embedded.CommitterTask.PendingCompaction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * A store that keeps its log on the local disk. It acknowledges a commit when it is flushed; all
 * commits that wait at that moment share the flush. Thread-safe; its own committer thread writes.
 *
 * <p>A failed write stops all further writes, so that the store never acknowledges a commit that
 * the disk may not hold. Reads continue. The store refuses damaged data and never serves it.
 */
public final class EmbeddedStore implements Store {
  private static final int WINDOW_COMMITS = 10_000;
  private static final long WINDOW_BYTES = 32 << 20;

  private final DataFolder folder;
  private final Database db;
  private final CommitWindow window;
  private final Committer committer;
  private final int maxTransactionBytes;
  private volatile boolean closed;

  private EmbeddedStore(
      EmbeddedOptions options, InstantSource clock, DataFolder folder, Database db) {
    this.folder = folder;
    this.db = db;
    maxTransactionBytes = options.maxTransactionBytes();
    var revision = db.lastRevision();
    window = new CommitWindow(revision, WINDOW_COMMITS, WINDOW_BYTES);
    committer = new Committer(folder, db, options, clock, window, revision);
  }

  /**
   * Opens the store of that folder; creates it when the folder is missing or empty.
   *
   * @throws StoreException.Unusable when the folder is in use, damaged, of another format or holds
   *     other data; the folder stays unchanged
   */
  public static EmbeddedStore open(EmbeddedOptions options) {
    return open(options, InstantSource.system());
  }

  static EmbeddedStore open(EmbeddedOptions options, InstantSource clock) {
    var folder = DataFolder.open(options.folder());
    Database db = null;
    try {
      db = Database.open(folder.database());
      var store = new EmbeddedStore(options, clock, folder, db);
      folder.claim();
      store.committer.start();
      return store;
    } catch (RuntimeException | Error e) {
      if (db != null) {
        db.close();
      }
      folder.close();
      throw e;
    }
  }

  @Override
  public CompletableFuture<CommitResult> commit(Transaction transaction) {
    var bytes = transaction.bytes();
    if (bytes > maxTransactionBytes) {
      return CompletableFuture.failedFuture(
          new StoreException.TooLarge(
              "the transaction has %d bytes, the limit is %d"
                  .formatted(bytes, maxTransactionBytes)));
    }
    var pending = PendingCommit.of(transaction);
    committer.submit(pending);
    return pending.outcome();
  }

  @Override
  public CompletableFuture<Long> readIndex() {
    return closed
        ? CompletableFuture.failedFuture(new StoreException.Closed())
        : CompletableFuture.completedFuture(committer.revision());
  }

  @Override
  public Image image() {
    var image = db.image();
    // A commit is in the database a moment before the read index includes it.
    while (committer.revision() < image.revision()) {
      Thread.onSpinWait();
    }
    return image;
  }

  @Override
  public Feed follow(long afterRevision) {
    if (closed) {
      throw new StoreException.Closed();
    }
    if (afterRevision < committer.compacted()) {
      throw new StoreException.Compacted(committer.compacted());
    }
    return new Tail(afterRevision);
  }

  private final class Tail implements Feed {
    private long position;

    Tail(long position) {
      this.position = position;
    }

    @Override
    public List<Commit> take(Duration patience) throws InterruptedException {
      var commits = window.after(position, patience);
      if (commits == null) {
        commits = readLog();
      }
      if (!commits.isEmpty()) {
        position = commits.getLast().revision();
      }
      return commits;
    }

    private List<Commit> readLog() {
      var durable = committer.revision();
      var commits = new ArrayList<Commit>();
      var expected = position;
      for (var commit : db.readLog(position)) {
        if (commit.revision() > durable) {
          break;
        }
        commits.add(commit);
        if (commit.revision() != ++expected) {
          break;
        }
      }
      if (position < committer.compacted()) {
        throw new StoreException.Compacted(committer.compacted());
      }
      if (commits.isEmpty() || commits.getLast().revision() != expected) {
        throw new StoreException.Unusable(
            "the log in %s has no revision %d".formatted(folder.path(), expected), null);
      }
      return commits;
    }

    @Override
    public boolean connected() {
      return !closed;
    }

    @Override
    public void close() {}
  }

  @Override
  public void compact(long revision) {
    var pending = new PendingCompaction(revision, new CompletableFuture<>());
    committer.submit(pending);
    try {
      pending.outcome().join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw e;
    }
  }

  @Override
  public long compactedRevision() {
    return committer.compacted();
  }

  /** The size of all files in the data folder, log included. */
  @Override
  public CompletableFuture<OptionalLong> databaseBytes() {
    long bytes = 0;
    try (var files = Files.newDirectoryStream(folder.database())) {
      for (var file : files) {
        bytes += size(file);
      }
      return CompletableFuture.completedFuture(OptionalLong.of(bytes));
    } catch (IOException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Treats a missing file as empty, because the database removes files meanwhile. */
  private static long size(Path file) throws IOException {
    try {
      return Files.size(file);
    } catch (NoSuchFileException e) {
      return 0;
    }
  }

  @Override
  public String degradedReason() {
    return committer.degradedReason();
  }

  /** The number of flushes since this store was opened. */
  public long flushes() {
    return committer.flushes();
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      committer.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    window.close();
    db.close();
    folder.close();
  }
}
