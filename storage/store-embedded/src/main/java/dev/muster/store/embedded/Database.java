package dev.muster.store.embedded;

import dev.muster.store.Commit;
import dev.muster.store.Image;
import dev.muster.store.StoreException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.FlushOptions;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * The RocksDB database of an embedded store. Any thread reads; only the committer thread writes. It
 * has these column families:
 *
 * <ul>
 *   <li>{@code state}: key → mod revision, expiry (epoch milliseconds or 0), value
 *   <li>{@code log}: revision → the changes of that commit
 *   <li>{@code expiry}: expiry and key → nothing, so that the next key to expire comes first
 *   <li>{@code meta}: the compacted revision
 * </ul>
 *
 * <p>Native memory must not be used after closing: every read holds the read lock, closing takes
 * the write lock.
 */
final class Database implements AutoCloseable {
  static final int STATE_HEADER = 16;
  private static final byte[] COMPACTED = "compacted".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] STATE = "state".getBytes(StandardCharsets.US_ASCII);
  private static final int LOG_READ_BYTES = 4 << 20;

  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private final DatabaseFiles files;
  private final RocksDB db;
  private final ReadOptions readOptions = new ReadOptions();
  private final WriteOptions synced = new WriteOptions().setSync(true);
  private final Set<EmbeddedImage> images = ConcurrentHashMap.newKeySet();
  private boolean closed;

  private Database(DatabaseFiles files) {
    this.files = files;
    this.db = files.db();
  }

  /**
   * Opens or creates the database.
   *
   * @throws StoreException.Unusable when it is damaged
   */
  static Database open(Path folder) {
    var files = DatabaseFiles.open(folder);
    try {
      // If damage was found only later, a server would run that cannot load its data.
      files.db().verifyChecksum();
      return new Database(files);
    } catch (RocksDBException e) {
      files.close();
      throw new StoreException.Unusable(
          "the database in %s is damaged: %s".formatted(folder, DatabaseFiles.text(e)), e);
    } catch (RuntimeException | Error e) {
      files.close();
      throw e;
    }
  }

  ColumnFamilyHandle state() {
    return files.state();
  }

  ColumnFamilyHandle log() {
    return files.log();
  }

  ColumnFamilyHandle expiry() {
    return files.expiry();
  }

  RocksDB raw() {
    return db;
  }

  /** Runs a read and keeps the database open meanwhile. */
  <T> T reading(Supplier<T> read) {
    lock.readLock().lock();
    try {
      if (closed) {
        throw new StoreException.Closed();
      }
      return read.get();
    } finally {
      lock.readLock().unlock();
    }
  }

  /** The current state. Closing the database closes the image, too. */
  Image image() {
    return reading(
        () -> {
          var image = new EmbeddedImage(this, images::remove);
          images.add(image);
          return image;
        });
  }

  /**
   * Reads the mod revision and expiry of a key into the buffer; returns false when the key is
   * absent. Does not copy the value. Only the committer calls it, which ends before the database
   * closes.
   */
  boolean readHeader(byte[] key, byte[] header) throws RocksDBException {
    return db.get(files.state(), readOptions, key, header) != RocksDB.NOT_FOUND;
  }

  /** Reads the stored bytes of a key, header included. Only the committer calls it. */
  byte @Nullable [] read(byte[] key) throws RocksDBException {
    return db.get(files.state(), readOptions, key);
  }

  /** Writes a batch durably and atomically. */
  void write(WriteBatch batch) throws RocksDBException {
    db.write(synced, batch);
  }

  /** The compacted revision. */
  long compactedRevision() {
    return reading(() -> compactedRevision(readOptions));
  }

  private long compactedRevision(ReadOptions options) {
    try {
      var bytes = db.get(files.meta(), options, COMPACTED);
      return bytes == null ? 0 : ByteBuffer.wrap(bytes).getLong();
    } catch (RocksDBException e) {
      throw DatabaseFiles.unreadable(e);
    }
  }

  /** The last revision of the log, as read with those options. */
  long lastRevision(ReadOptions options) {
    try (var iterator = db.newIterator(files.log(), options)) {
      iterator.seekToLast();
      if (iterator.isValid()) {
        return ByteBuffer.wrap(iterator.key()).getLong();
      }
      iterator.status();
      return compactedRevision(options);
    } catch (RocksDBException e) {
      throw DatabaseFiles.unreadable(e);
    }
  }

  long lastRevision() {
    return reading(() -> lastRevision(readOptions));
  }

  /** The commits after that revision, up to some megabytes; empty at the end of the log. */
  List<Commit> readLog(long afterRevision) {
    return reading(
        () -> {
          var commits = new ArrayList<Commit>();
          try (var iterator = db.newIterator(files.log(), readOptions)) {
            var bytes = 0;
            for (iterator.seek(revisionKey(afterRevision + 1));
                iterator.isValid() && bytes < LOG_READ_BYTES;
                iterator.next()) {
              var record = iterator.value();
              bytes += record.length + 64;
              commits.add(LogRecord.read(ByteBuffer.wrap(iterator.key()).getLong(), record));
            }
            iterator.status();
          } catch (RocksDBException e) {
            throw DatabaseFiles.unreadable(e);
          }
          return commits;
        });
  }

  /** Adds the compaction of the log up to and including that revision to the batch. */
  void forget(WriteBatch batch, long revision) throws RocksDBException {
    batch.deleteRange(files.log(), revisionKey(0), revisionKey(revision + 1));
    batch.put(files.meta(), COMPACTED, revisionKey(revision));
  }

  /** Frees the disk space of compacted log files. Only the committer calls it. */
  void dropForgottenFiles(long revision) throws RocksDBException {
    db.deleteFilesInRanges(files.log(), List.of(revisionKey(0), revisionKey(revision + 1)), false);
  }

  /**
   * Removes overwritten and deleted data from the files, one file after the other, while there is
   * space for a new file beside the old one.
   */
  void reclaim(LongSupplier freeBytes) throws RocksDBException {
    lock.readLock().lock();
    try {
      if (closed) {
        return;
      }
      try (var waiting = new FlushOptions().setWaitForFlush(true)) {
        db.flush(waiting, List.of(files.state(), files.log(), files.expiry(), files.meta()));
      }
      for (var file : db.getLiveFilesMetaData()) {
        boolean state = Arrays.equals(file.columnFamilyName(), STATE);
        if (state && file.size() < freeBytes.getAsLong()) {
          db.compactRange(files.state(), file.smallestKey(), file.largestKey());
        }
      }
    } finally {
      lock.readLock().unlock();
    }
  }

  static byte[] revisionKey(long revision) {
    return ByteBuffer.allocate(Long.BYTES).putLong(revision).array();
  }

  @Override
  public void close() {
    lock.writeLock().lock();
    try {
      if (!closed) {
        closed = true;
        List.copyOf(images).forEach(EmbeddedImage::close);
        synced.close();
        readOptions.close();
        files.close();
      }
    } finally {
      lock.writeLock().unlock();
    }
  }
}
