package dev.muster.store.embedded;

import dev.muster.store.Entry;
import dev.muster.store.Image;
import dev.muster.store.StoreException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Snapshot;

/**
 * All keys of the store in one snapshot of the database. One thread reads it; that thread or the
 * store closes it.
 */
final class EmbeddedImage implements Image {
  private static final int AT_ONCE = 256;

  private final Database db;
  private final Consumer<EmbeddedImage> onClose;
  private final Snapshot snapshot;
  private final ReadOptions options;
  private final RocksIterator iterator;
  private final long revision;
  private boolean closed;

  /** Call this only while the database cannot be closed. */
  EmbeddedImage(Database db, Consumer<EmbeddedImage> onClose) {
    this.db = db;
    this.onClose = onClose;
    snapshot = db.raw().getSnapshot();
    options = new ReadOptions().setSnapshot(snapshot).setReadaheadSize(2 << 20);
    revision = db.lastRevision(options);
    iterator = db.raw().newIterator(db.state(), options);
    iterator.seekToFirst();
  }

  @Override
  public long revision() {
    return revision;
  }

  @Override
  public Iterator<Entry> iterator() {
    return new Entries();
  }

  private synchronized void read(ArrayDeque<Entry> entries) {
    if (closed) {
      throw new StoreException.Closed();
    }
    try {
      while (iterator.isValid() && entries.size() < AT_ONCE) {
        var key = new String(iterator.key(), StandardCharsets.UTF_8);
        var stored = iterator.value();
        entries.add(
            new Entry(
                key,
                Arrays.copyOfRange(stored, Database.STATE_HEADER, stored.length),
                ByteBuffer.wrap(stored).getLong()));
        iterator.next();
      }
      iterator.status();
    } catch (RocksDBException e) {
      throw DatabaseFiles.unreadable(e);
    }
  }

  private final class Entries implements Iterator<Entry> {
    private final ArrayDeque<Entry> read = new ArrayDeque<>(AT_ONCE);

    @Override
    public boolean hasNext() {
      if (read.isEmpty()) {
        read(read);
      }
      return !read.isEmpty();
    }

    @Override
    public Entry next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      return read.removeFirst();
    }
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      iterator.close();
      options.close();
      db.raw().releaseSnapshot(snapshot);
      onClose.accept(this);
    }
  }
}
