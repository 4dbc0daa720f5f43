package dev.muster.store.embedded;

import dev.muster.store.Change;
import dev.muster.store.Commit;
import dev.muster.store.CommitResult;
import dev.muster.store.Operation;
import dev.muster.store.StoreException;
import dev.muster.store.embedded.CommitterTask.PendingCommit;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * The commits that share one write to the disk. Each commit is checked against the stored state and
 * the earlier commits of the flush. Only the committer thread uses it, again for every flush.
 */
final class Flush implements AutoCloseable {
  private static final int MOST_CHECKED = 1_000;

  private record Outcome(PendingCommit commit, CommitResult result) {}

  /**
   * The state of a key after an earlier commit of this flush; mod revision 0 when it was deleted.
   */
  private record Held(long modRevision, long expiry, byte @Nullable [] value) {}

  private final Database db;
  private final WriteBatch batch = new WriteBatch();
  private final LogRecord record = new LogRecord();
  private final Map<String, Held> changed = new HashMap<>();

  /**
   * The mod revisions of recently checked keys that were not written since. The same few keys guard
   * almost all writes, and a lookup on disk costs as much as half of a small write.
   */
  private final Map<String, Long> checked =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
          return size() > MOST_CHECKED;
        }
      };

  private final List<Outcome> outcomes = new ArrayList<>();
  private List<Commit> commits = new ArrayList<>();
  private final byte[] header = new byte[Database.STATE_HEADER];
  private final ByteBuffer headerFields = ByteBuffer.wrap(header);
  private final ByteBuffer revisionKey = ByteBuffer.allocateDirect(Long.BYTES);
  private ByteBuffer keyBuffer = ByteBuffer.allocateDirect(1 << 10);
  private ByteBuffer valueBuffer = ByteBuffer.allocateDirect(16 << 10);
  private long[] foundRevisions = new long[16];
  private long[] foundExpiries = new long[16];
  private long revision;
  private long bytes;
  private long earliestExpiry = Long.MAX_VALUE;

  Flush(Database db) {
    this.db = db;
  }

  void start(long lastRevision) {
    revision = lastRevision;
    bytes = 0;
    earliestExpiry = Long.MAX_VALUE;
    batch.clear();
    changed.clear();
    outcomes.clear();
    commits = new ArrayList<>();
  }

  /** Checks the guards of a commit and, when they hold, adds it to the write. */
  void add(PendingCommit pending, long nowMillis) throws RocksDBException {
    var conflicts = check(pending);
    outcomes.add(
        new Outcome(
            pending,
            conflicts.isEmpty()
                ? new CommitResult.Committed(apply(pending, nowMillis))
                : new CommitResult.Conflict(revision, conflicts)));
  }

  private List<CommitResult.Found> check(PendingCommit pending) throws RocksDBException {
    var operations = pending.transaction().operations();
    if (operations.size() > foundRevisions.length) {
      foundRevisions = new long[operations.size()];
      foundExpiries = new long[operations.size()];
    }
    List<CommitResult.Found> conflicts = List.of();
    for (var i = 0; i < operations.size(); i++) {
      var operation = operations.get(i);
      var key = pending.keys()[i];
      if (operation instanceof Operation.Check) {
        foundRevisions[i] = checked(operation.key(), key, i);
      } else {
        find(operation.key(), key, i);
      }
      if (!Operation.isAsExpected(operation.expected(), foundRevisions[i])) {
        if (conflicts.isEmpty()) {
          conflicts = new ArrayList<>();
        }
        conflicts.add(
            new CommitResult.Found(
                operation.key(), foundRevisions[i], value(operation.key(), key)));
      }
    }
    return conflicts;
  }

  private long checked(String name, byte[] key, int index) throws RocksDBException {
    if (!changed.containsKey(name)) {
      var known = checked.get(name);
      if (known != null) {
        return known;
      }
      find(name, key, index);
      checked.put(name, foundRevisions[index]);
    } else {
      find(name, key, index);
    }
    return foundRevisions[index];
  }

  private void find(String name, byte[] key, int index) throws RocksDBException {
    var held = changed.isEmpty() ? null : changed.get(name);
    if (held != null) {
      foundRevisions[index] = held.modRevision();
      foundExpiries[index] = held.expiry();
    } else if (db.readHeader(key, header)) {
      foundRevisions[index] = headerFields.getLong(0);
      foundExpiries[index] = headerFields.getLong(Long.BYTES);
    } else {
      foundRevisions[index] = Operation.ABSENT;
      foundExpiries[index] = 0;
    }
  }

  private byte[] value(String name, byte[] key) throws RocksDBException {
    var held = changed.get(name);
    if (held != null) {
      var value = held.value();
      return value == null ? new byte[0] : value;
    }
    var stored = db.read(key);
    return stored == null
        ? new byte[0]
        : Arrays.copyOfRange(stored, Database.STATE_HEADER, stored.length);
  }

  private long apply(PendingCommit pending, long nowMillis) throws RocksDBException {
    var next = revision + 1;
    var operations = pending.transaction().operations();
    var changes = new ArrayList<Change>(operations.size());
    record.clear();
    for (var i = 0; i < operations.size(); i++) {
      var key = pending.keys()[i];
      switch (operations.get(i)) {
        case Operation.Put put -> {
          forgetExpiry(key, foundExpiries[i]);
          var expiry = expiry(put.timeToLive(), nowMillis);
          if (expiry != 0) {
            batch.put(db.expiry(), expiryKey(expiry, key), new byte[0]);
            earliestExpiry = Math.min(earliestExpiry, expiry);
          }
          putState(key, next, expiry, put.value());
          record.put(key, put.value());
          changes.add(new Change(put.key(), put.value()));
          change(put.key(), new Held(next, expiry, put.value()));
        }
        case Operation.Delete delete -> {
          if (foundRevisions[i] != Operation.ABSENT) {
            forgetExpiry(key, foundExpiries[i]);
            delete(delete.key(), key, changes);
          }
        }
        case Operation.Check _ -> {}
      }
    }
    return publish(changes);
  }

  /** Adds one commit that deletes expired keys; it must be the first of a flush. */
  void expire(List<byte[]> expiryKeys) throws RocksDBException {
    var changes = new ArrayList<Change>(expiryKeys.size());
    record.clear();
    for (var expiryKey : expiryKeys) {
      batch.delete(db.expiry(), expiryKey);
      var key = Arrays.copyOfRange(expiryKey, Long.BYTES, expiryKey.length);
      delete(new String(key, StandardCharsets.UTF_8), key, changes);
    }
    publish(changes);
  }

  private void delete(String name, byte[] key, List<Change> changes) throws RocksDBException {
    batch.delete(db.state(), key);
    record.delete(key);
    changes.add(new Change(name, null));
    change(name, new Held(Operation.ABSENT, 0, null));
    bytes += key.length + 64;
  }

  private void change(String name, Held held) {
    changed.put(name, held);
    checked.remove(name);
  }

  private void putState(byte[] key, long modRevision, long expiry, byte[] value)
      throws RocksDBException {
    if (keyBuffer.capacity() < key.length) {
      keyBuffer = ByteBuffer.allocateDirect(key.length * 2);
    }
    if (valueBuffer.capacity() < value.length + Database.STATE_HEADER) {
      valueBuffer = ByteBuffer.allocateDirect((value.length + Database.STATE_HEADER) * 2);
    }
    keyBuffer.clear().put(key).flip();
    valueBuffer.clear().putLong(modRevision).putLong(expiry).put(value).flip();
    batch.put(db.state(), keyBuffer, valueBuffer);
    bytes += 2L * (key.length + value.length) + 64;
  }

  private void forgetExpiry(byte[] key, long expiry) throws RocksDBException {
    if (expiry != 0) {
      batch.delete(db.expiry(), expiryKey(expiry, key));
    }
  }

  private static long expiry(@Nullable Duration timeToLive, long nowMillis) {
    return timeToLive == null ? 0 : nowMillis + timeToLive.plusNanos(999_999).toMillis();
  }

  private static byte[] expiryKey(long expiry, byte[] key) {
    return ByteBuffer.allocate(Long.BYTES + key.length).putLong(expiry).put(key).array();
  }

  private long publish(List<Change> changes) throws RocksDBException {
    if (!changes.isEmpty()) {
      revision++;
      batch.put(db.log(), revisionKey.clear().putLong(revision).flip(), record.bytes());
      commits.add(new Commit(revision, changes));
    }
    return revision;
  }

  /** Whether the flush is large enough to write it before taking more commits. */
  boolean isFull() {
    return bytes > 4 << 20;
  }

  boolean hasChanges() {
    return !commits.isEmpty();
  }

  void write() throws RocksDBException {
    db.write(batch);
  }

  long revision() {
    return revision;
  }

  /** The written commits; the caller may keep the list. */
  List<Commit> commits() {
    return commits;
  }

  /**
   * The time at which the first key written here expires; {@link Long#MAX_VALUE} when none does.
   */
  long earliestExpiry() {
    return earliestExpiry;
  }

  /** Completes all commits with their results, once the write is durable. */
  void acknowledge() {
    for (var outcome : outcomes) {
      outcome.commit().outcome().complete(outcome.result());
    }
  }

  /** Fails all commits; nothing was written. */
  void fail(StoreException failure) {
    fail(failure, commit -> false);
  }

  /**
   * Fails all commits, except those that may be tried again, which it returns. Nothing was written.
   */
  List<PendingCommit> fail(StoreException failure, Predicate<PendingCommit> mayTryAgain) {
    var kept = new ArrayList<PendingCommit>();
    for (var outcome : outcomes) {
      if (mayTryAgain.test(outcome.commit())) {
        kept.add(outcome.commit());
      } else {
        outcome.commit().fail(failure);
      }
    }
    return kept;
  }

  /** Completes all commits as ambiguous: the write may or may not be on the disk. */
  void doubt(StoreException failure) {
    for (var outcome : outcomes) {
      outcome.commit().outcome().complete(new CommitResult.Unknown(failure));
    }
  }

  @Override
  public void close() {
    batch.close();
  }
}
