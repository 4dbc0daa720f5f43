package dev.muster.store.embedded;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.Slice;

/**
 * The keys that expire, soonest first. Reading starts where keys were last due, so that it does not
 * pass the traces of deleted keys again and again. Only the committer thread uses it.
 */
final class Expiries {
  private static final int AT_ONCE = 500;

  private final Database db;
  private long from;

  Expiries(Database db) {
    this.db = db;
  }

  /** The time at which the next key expires; {@link Long#MAX_VALUE} when none does. */
  long next() {
    var first = read(Long.MAX_VALUE, 1);
    return first.isEmpty() ? Long.MAX_VALUE : millis(first.getFirst());
  }

  /** The entries of due keys, soonest first, up to a fixed number. */
  List<byte[]> due(long nowMillis) {
    var due = read(nowMillis, AT_ONCE);
    if (!due.isEmpty()) {
      from = millis(due.getFirst());
    }
    return due;
  }

  /**
   * Records that a key with that expiry was written. It may precede the others when the clock was
   * set back.
   */
  void added(long millis) {
    from = Math.min(from, millis);
  }

  private List<byte[]> read(long untilMillis, int limit) {
    var entries = new ArrayList<byte[]>();
    try (var bound = new Slice(Database.revisionKey(from));
        var options = new ReadOptions().setIterateLowerBound(bound);
        var iterator = db.raw().newIterator(db.expiry(), options)) {
      for (iterator.seekToFirst(); iterator.isValid() && entries.size() < limit; iterator.next()) {
        var entry = iterator.key();
        if (millis(entry) > untilMillis) {
          break;
        }
        entries.add(entry);
      }
      iterator.status();
      return entries;
    } catch (RocksDBException e) {
      throw DatabaseFiles.unreadable(e);
    }
  }

  private static long millis(byte[] entry) {
    return ByteBuffer.wrap(entry).getLong();
  }
}
