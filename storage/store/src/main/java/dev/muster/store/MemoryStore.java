package dev.muster.store;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A store in memory, which loses its data when it is closed. It keeps five minutes of history.
 * Thread-safe: one lock guards it. Callers share the value arrays with the store and must not
 * change them.
 */
public final class MemoryStore implements Store {
  /** The store refuses a transaction whose keys and values together are longer than this. */
  public static final int MAX_TRANSACTION_BYTES = 2 << 20;

  private record Expiry(long millis, String key, long modRevision) {}

  private final InstantSource clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition due = lock.newCondition();
  private final TreeMap<String, Entry> state = new TreeMap<>();
  private final PriorityQueue<Expiry> expiries =
      new PriorityQueue<>(Comparator.comparingLong(Expiry::millis));
  private final CommitWindow log = new CommitWindow(0, Integer.MAX_VALUE, Long.MAX_VALUE);
  private final History history = new History(History.DEFAULT);
  private volatile long revision;
  private volatile long compacted;
  private volatile boolean closed;
  private long nextSample;

  /** A store on the system clock; a background thread expires keys and trims the history. */
  public MemoryStore() {
    this(InstantSource.system());
    Thread.ofVirtual().name("memory-store").start(this::keepTime);
  }

  /** A store on that clock, for tests: keys expire only when the test calls {@link #tick}. */
  public MemoryStore(InstantSource clock) {
    this.clock = clock;
    nextSample = clock.millis();
  }

  @Override
  public CompletableFuture<CommitResult> commit(Transaction transaction) {
    if (transaction.bytes() > MAX_TRANSACTION_BYTES) {
      return CompletableFuture.failedFuture(
          new StoreException.TooLarge(
              "the transaction has %d bytes, the limit is %d"
                  .formatted(transaction.bytes(), MAX_TRANSACTION_BYTES)));
    }
    lock.lock();
    try {
      if (closed) {
        return CompletableFuture.failedFuture(new StoreException.Closed());
      }
      var conflicts = conflicts(transaction);
      return CompletableFuture.completedFuture(
          conflicts.isEmpty()
              ? new CommitResult.Committed(apply(transaction))
              : new CommitResult.Conflict(revision, conflicts));
    } finally {
      lock.unlock();
    }
  }

  private List<CommitResult.Found> conflicts(Transaction transaction) {
    var found = new ArrayList<CommitResult.Found>();
    for (var operation : transaction.operations()) {
      var entry = state.get(operation.key());
      var actual = entry == null ? Operation.ABSENT : entry.modRevision();
      if (!Operation.isAsExpected(operation.expected(), actual)) {
        found.add(
            new CommitResult.Found(
                operation.key(), actual, entry == null ? new byte[0] : entry.value()));
      }
    }
    return found;
  }

  private long apply(Transaction transaction) {
    var next = revision + 1;
    var changes = new ArrayList<Change>(transaction.operations().size());
    for (var operation : transaction.operations()) {
      switch (operation) {
        case Operation.Put put -> {
          state.put(put.key(), new Entry(put.key(), put.value(), next));
          changes.add(new Change(put.key(), put.value()));
          expireLater(put, next);
        }
        case Operation.Delete delete -> {
          if (state.remove(delete.key()) != null) {
            changes.add(new Change(delete.key(), null));
          }
        }
        case Operation.Check _ -> {}
      }
    }
    return publish(changes);
  }

  private void expireLater(Operation.Put put, long modRevision) {
    var timeToLive = put.timeToLive();
    if (timeToLive != null) {
      var millis = clock.millis() + timeToLive.plusNanos(999_999).toMillis();
      expiries.add(new Expiry(millis, put.key(), modRevision));
      due.signalAll();
    }
  }

  private long publish(List<Change> changes) {
    if (!changes.isEmpty()) {
      var next = revision + 1;
      // Set the revision first: a follower must never see a commit that the read index does not
      // cover.
      revision = next;
      log.append(List.of(new Commit(next, List.copyOf(changes))));
    }
    return revision;
  }

  /** Deletes all expired keys in one commit, and trims the history. */
  public void tick() {
    lock.lock();
    try {
      var now = clock.millis();
      var changes = new ArrayList<Change>();
      for (var expiry = expiries.peek();
          expiry != null && expiry.millis() <= now;
          expiry = expiries.peek()) {
        expiries.remove();
        var entry = state.get(expiry.key());
        if (entry != null && entry.modRevision() == expiry.modRevision()) {
          state.remove(expiry.key());
          changes.add(new Change(expiry.key(), null));
        }
      }
      publish(changes);
      if (now >= nextSample) {
        nextSample = now + history.intervalMillis();
        forget(history.sample(now, revision));
      }
    } finally {
      lock.unlock();
    }
  }

  private void keepTime() {
    lock.lock();
    try {
      while (!closed) {
        tick();
        var next = expiries.peek();
        var wake = next == null ? nextSample : Math.min(nextSample, next.millis());
        var _ = due.await(Math.max(1, wake - clock.millis()), TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public CompletableFuture<Long> readIndex() {
    return closed
        ? CompletableFuture.failedFuture(new StoreException.Closed())
        : CompletableFuture.completedFuture(revision);
  }

  @Override
  public Image image() {
    lock.lock();
    try {
      checkOpen();
      return new Copy(revision, List.copyOf(state.values()));
    } finally {
      lock.unlock();
    }
  }

  private record Copy(long revision, List<Entry> entries) implements Image {
    @Override
    public Iterator<Entry> iterator() {
      return entries.iterator();
    }

    @Override
    public void close() {}
  }

  @Override
  public Feed follow(long afterRevision) {
    checkOpen();
    if (afterRevision < compacted) {
      throw new StoreException.Compacted(compacted);
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
      @Nullable List<Commit> commits = log.after(position, patience);
      if (commits == null) {
        throw new StoreException.Compacted(compacted);
      }
      if (!commits.isEmpty()) {
        position = commits.getLast().revision();
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
    lock.lock();
    try {
      checkOpen();
      if (revision > this.revision) {
        throw new IllegalArgumentException("revision " + revision + " is in the future");
      }
      forget(revision);
    } finally {
      lock.unlock();
    }
  }

  private void forget(long throughRevision) {
    compacted = Math.max(compacted, throughRevision);
    log.forget(compacted);
  }

  @Override
  public long compactedRevision() {
    return compacted;
  }

  private void checkOpen() {
    if (closed) {
      throw new StoreException.Closed();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      log.close();
      due.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
