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
 * Read by any thread, written by the committer's only: the column families of one RocksDB.
 *
 * <ul>
 *   <li>{@code state}: key → mod revision, expiry (epoch milliseconds or 0), value
 *   <li>{@code log}: revision → the changes of that commit
 *   <li>{@code expiry}: expiry and key → nothing, so that the next key to expire is the first
 *   <li>{@code meta}: the compacted revision
 * </ul>
 *
 * Native memory must not be touched after closing: every read holds the read lock, closing takes
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
   * Opens or makes the database.
   *
   * @throws StoreException.Unusable when it is damaged
   */
  static Database open(Path folder) {
    var files = DatabaseFiles.open(folder);
    try {
      // Damage found later would leave a server that runs and cannot load.
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

  /** Runs a read while the database cannot be closed. */
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

  /** The state as it is now; closed with the database at the latest. */
  Image image() {
    return reading(
        () -> {
          var image = new EmbeddedImage(this, images::remove);
          images.add(image);
          return image;
        });
  }

  /**
   * Reads the mod revision and expiry of a key into the buffer; false when the key is absent. The
   * value itself is not copied. For the committer, which outlives no reader.
   */
  boolean readHeader(byte[] key, byte[] header) throws RocksDBException {
    return db.get(files.state(), readOptions, key, header) != RocksDB.NOT_FOUND;
  }

  /** Reads what is stored at a key, header included; for the committer. */
  byte @Nullable [] read(byte[] key) throws RocksDBException {
    return db.get(files.state(), readOptions, key);
  }

  /** Makes a batch durable, all or nothing. */
  void write(WriteBatch batch) throws RocksDBException {
    db.write(synced, batch);
  }

  /** The revision up to which the log was forgotten. */
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

  /** The last revision of the log as those options see it. */
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

  /** The commits after that revision, some millions of bytes at the most; empty at the end. */
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

  /** Adds to the batch that the log up to and including that revision is forgotten. */
  void forget(WriteBatch batch, long revision) throws RocksDBException {
    batch.deleteRange(files.log(), revisionKey(0), revisionKey(revision + 1));
    batch.put(files.meta(), COMPACTED, revisionKey(revision));
  }

  /** Gives back the disk space of forgotten log files; for the committer. */
  void dropForgottenFiles(long revision) throws RocksDBException {
    db.deleteFilesInRanges(files.log(), List.of(revisionKey(0), revisionKey(revision + 1)), false);
  }

  /**
   * Drops what was overwritten or deleted from the files, one after the other and as far as there
   * is room for the new ones beside the old.
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
