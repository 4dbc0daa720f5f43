package dev.muster.replica;

import dev.muster.replica.keyspace.KeySpace;
import dev.muster.replica.keyspace.KeySpaceDefinitions;
import dev.muster.replica.snapshot.ReplicaException;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.replica.snapshot.WatchCursor;
import dev.muster.store.History;
import dev.muster.store.Store;
import dev.muster.store.StoreException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The whole cluster in memory, kept up to date from the store's log by one applier thread.
 * Thread-safe: everything that the replica publishes is immutable, and no method blocks.
 *
 * <p>Guarantees:
 *
 * <ul>
 *   <li>{@link #current} never goes back, and every snapshot is exactly the store's state at its
 *       revision.
 *   <li>A snapshot contains every event that a cursor has returned before.
 *   <li>When the store is unavailable, the replica keeps serving its last snapshot, {@link #ready}
 *       is false, and the replica catches up on its own later.
 *   <li>After the store's history was replaced, for example by a restore, the replica stops for
 *       good: {@link #replaced} completes, {@link #health} gives the reason, and all other reads
 *       fail with {@link ReplicaException.Replaced}. Only {@link #current} still returns a
 *       snapshot, so that callers can decide whether to refuse a request. Start another replica in
 *       its place.
 * </ul>
 */
public final class Replica implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Replica.class);

  /** Ends the calls of an {@link #onPublish} action when closed. */
  public interface Subscription extends AutoCloseable {
    @Override
    void close();
  }

  private final Store store;
  private final KeySpace first;
  private final StoreHealth contact;
  private final RevisionWaiters revisionWaiters;
  private final Applier applier;
  private final Thread applierThread;
  private final DivergenceCheck check;
  private final @Nullable Thread checkThread;
  private final CopyOnWriteArrayList<Runnable> subscribers = new CopyOnWriteArrayList<>();
  private final CompletableFuture<StoreException.Replaced> replaced = new CompletableFuture<>();
  private volatile @Nullable Snapshot current;

  /** Only the applier thread uses {@code history} and {@code nextSample}. */
  private final History history;

  private final InstantSource clock;
  private long nextSample;
  private volatile long horizon;

  private Replica(
      Store store, KeySpace first, KeySpaceDefinitions definitions, ReplicaOptions options) {
    this.store = store;
    this.first = first;
    this.history = new History(options.eventAge());
    this.clock = options.clock();
    this.contact = new StoreHealth(store, options.clock(), options.stallTimeout().toMillis());
    this.revisionWaiters = new RevisionWaiters(() -> current);
    this.applier =
        new Applier(store, first, definitions, options, contact, this::publish, replaced::complete);
    this.check = new DivergenceCheck(store, this, options.checkInterval(), applier::askReload);
    this.applierThread = Thread.ofPlatform().daemon().name("replica-applier").unstarted(this::run);
    this.checkThread =
        options.checkInterval().isZero()
            ? null
            : Thread.ofVirtual().name("replica-check").unstarted(check);
  }

  /** Starts a replica whose key space never changes. */
  public static Replica start(Store store, KeySpace keySpace, ReplicaOptions options) {
    return start(store, keySpace, KeySpaceDefinitions.NONE, options);
  }

  /**
   * Starts to load and follow the store; returns at once. The caller closes the store.
   *
   * @param first the built-in collections, which exist whatever is defined
   */
  public static Replica start(
      Store store, KeySpace first, KeySpaceDefinitions definitions, ReplicaOptions options) {
    var replica = new Replica(store, first, definitions, options);
    replica.applierThread.start();
    if (replica.checkThread != null) {
      replica.checkThread.start();
    }
    return replica;
  }

  private void run() {
    try {
      applier.run();
    } finally {
      revisionWaiters.close(
          replaced.isDone() ? new ReplicaException.Replaced() : new ReplicaException.Closed());
    }
  }

  private void publish(Snapshot snapshot) {
    current = snapshot;
    moveHorizon(snapshot.revision());
    revisionWaiters.serve(snapshot);
    for (var subscriber : subscribers) {
      try {
        subscriber.run();
      } catch (RuntimeException | Error wrong) {
        LOG.error("A subscriber failed", wrong);
      }
    }
  }

  /**
   * Samples the history by time, so that the oldest readable revision does not depend on how often
   * a collection changes.
   */
  private void moveHorizon(long revision) {
    long now = clock.millis();
    if (now >= nextSample) {
      nextSample = now + history.intervalMillis();
      horizon = Math.max(horizon, history.sample(now, revision));
    }
  }

  /**
   * The newest snapshot.
   *
   * @throws ReplicaException.NotLoaded until the first image is loaded
   */
  public Snapshot current() {
    var snapshot = current;
    if (snapshot == null) {
      throw new ReplicaException.NotLoaded();
    }
    return snapshot;
  }

  /** The key space of the newest snapshot; the initial one until an image is loaded. */
  public KeySpace keySpace() {
    var snapshot = current;
    return snapshot == null ? first : snapshot.keySpace();
  }

  /**
   * Returns a snapshot that contains every commit acknowledged to any client before this call. The
   * future is already complete when the replica has such a snapshot. It fails with a {@link
   * dev.muster.store.StoreException} when the store gives no read index, and with {@link
   * ReplicaException.Closed} when the replica has stopped. The caller sets the time limit.
   * Continuations run on the applier or a thread of the store and must be short.
   */
  public CompletableFuture<Snapshot> fresh() {
    if (replaced.isDone()) {
      return CompletableFuture.failedFuture(new ReplicaException.Replaced());
    }
    var index = store.readIndex();
    return index.state() == Future.State.SUCCESS
        ? revisionWaiters.await(index.resultNow())
        : index.thenCompose(revisionWaiters::await);
  }

  /**
   * Returns the newest snapshot as soon as it has at least that revision. Continuations and
   * failures are as for {@link #fresh}.
   */
  public CompletableFuture<Snapshot> applied(long revision) {
    return replaced.isDone()
        ? CompletableFuture.failedFuture(new ReplicaException.Replaced())
        : revisionWaiters.await(revision);
  }

  /**
   * The snapshot of exactly that revision; empty when the revision is too old or not applied yet.
   * Each of its collections has its own limit of history: see {@link Snapshot#collection}.
   */
  public Optional<Snapshot> at(long revision) {
    checkHistory();
    var snapshot = current();
    if (revision == snapshot.revision()) {
      return Optional.of(snapshot);
    }
    return revision > snapshot.revision()
            || revision < snapshot.memory().whole()
            || revision < horizon
        ? Optional.empty()
        : Optional.of(snapshot.at(revision));
  }

  /** The oldest revision at which every collection can be served. */
  public long oldest() {
    var snapshot = current();
    long oldest = Math.max(horizon, snapshot.memory().whole());
    for (var collectionState : snapshot.slots()) {
      oldest = Math.max(oldest, collectionState.ring().floor());
    }
    return oldest;
  }

  /**
   * A cursor over the changes of one collection after that revision, for example the revision of a
   * list. The revision may be one that is not applied yet: the cursor then skips all events up to
   * it. For a collection that does not exist, the cursor has already ended.
   *
   * @throws ReplicaException.Expired when the ring no longer has the events after that revision
   */
  public WatchCursor watch(String storage, long afterRevision) {
    checkHistory();
    var snapshot = current();
    long from = snapshot.memory().watchableFrom(afterRevision);
    if (from > afterRevision) {
      throw new ReplicaException.Expired(afterRevision, from);
    }
    var collectionState = snapshot.slot(storage);
    if (collectionState == null) {
      return new WatchCursor(this::current, storage, afterRevision, null, 0);
    }
    long next =
        collectionState.ring().firstAfter(afterRevision, snapshot.collection(storage).end());
    if (next < 0) {
      throw new ReplicaException.Expired(afterRevision, collectionState.ring().floor());
    }
    return new WatchCursor(this::current, storage, afterRevision, collectionState, next);
  }

  /**
   * Calls the action on the applier thread after each published snapshot; the action must be cheap.
   * Snapshots published during this call may or may not be reported.
   */
  public Subscription onPublish(Runnable action) {
    subscribers.add(action);
    return () -> subscribers.remove(action);
  }

  /**
   * Calls the action on the applier thread with the first snapshot and after each change of one of
   * these collections; the action must be cheap.
   *
   * @param storages the storage locations of the collections
   */
  public Subscription onChange(Set<String> storages, Runnable action) {
    return onPublish(new ChangeListener(this::current, storages, action));
  }

  /**
   * Requests a reload of all entries soon. Use it when values have become readable, for example
   * after a key was added. Readable objects that have not changed are reused.
   */
  public void reload() {
    applier.askReload();
  }

  /**
   * Completes, with the reason, when the store turns out to have replaced history. Continuations
   * run on the applier thread and must be short.
   */
  public CompletableFuture<StoreException.Replaced> replaced() {
    return replaced.copy();
  }

  /** Whether {@link #replaced} has completed. */
  public boolean isReplaced() {
    return replaced.isDone();
  }

  private void checkHistory() {
    if (replaced.isDone()) {
      throw new ReplicaException.Replaced();
    }
  }

  /** Whether the replica is in contact with the store and has applied all its commits. */
  public boolean ready() {
    return current != null && contact.ready();
  }

  public Health health() {
    var snapshot = current;
    return new Health(
        ready(),
        snapshot == null ? 0 : snapshot.revision(),
        contact.storeRevision(),
        Duration.ofMillis(contact.silenceMillis()),
        snapshot == null ? 0 : snapshot.objects(),
        snapshot == null ? 0 : snapshot.unreadable(),
        applier.events(),
        applier.eventBytes(),
        applier.reloads(),
        check.divergences(),
        contact.degradedReason());
  }

  /** The check that compares the replica with the store. It blocks; for tests. */
  DivergenceCheck check() {
    return check;
  }

  /** Stops the replica. Waiting calls fail; snapshots stay readable. */
  @Override
  public void close() {
    applier.close();
    applierThread.interrupt();
    if (checkThread != null) {
      checkThread.interrupt();
    }
  }
}
