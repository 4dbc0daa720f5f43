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
 * One applier thread owns it: the whole cluster in memory, following the store's log. Everything
 * that it publishes is immutable; all methods may be called by any thread and none blocks.
 *
 * <p>Guarantees:
 *
 * <ul>
 *   <li>{@link #current} never goes back, and every snapshot is exactly the store's state at its
 *       revision.
 *   <li>A snapshot shows every event that a cursor has handed over before.
 *   <li>While the store is away the replica keeps answering from what it has, {@link #ready} is
 *       false, and it catches up by itself.
 *   <li>A store whose history was replaced, as by restoring a backup, is refused for good: the
 *       replica stops, {@link #replaced} completes, {@link #health} says why, and whatever is asked
 *       for fails with {@link ReplicaException.Replaced}. Only {@link #current} still answers, for
 *       those who decide whether to refuse. Another replica has to take its place.
 * </ul>
 */
public final class Replica implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Replica.class);

  /** Ends an {@link #onPublish}. */
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

  /** Owned by the applier's thread, like the next time to write into it. */
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

  /** Starts with a key space that never changes. */
  public static Replica start(Store store, KeySpace keySpace, ReplicaOptions options) {
    return start(store, keySpace, KeySpaceDefinitions.NONE, options);
  }

  /**
   * Starts to load and to follow; answers at once. The store stays the caller's to close.
   *
   * @param first the collections that are always there, whatever is defined
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

  /** So that what is too old does not depend on how often a collection happens to change. */
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

  /** What the keys of the newest snapshot are; the first one until an image is loaded. */
  public KeySpace keySpace() {
    var snapshot = current;
    return snapshot == null ? first : snapshot.keySpace();
  }

  /**
   * A snapshot that holds every commit acknowledged, to anybody, before this call. Already done
   * when nothing has to be waited for. Fails with a {@link dev.muster.store.StoreException} when
   * the store cannot be asked, and with {@link ReplicaException.Closed} when the replica has
   * stopped. The caller sets the time limit. What is attached to it runs on the applier or an
   * engine thread and must be short.
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
   * The newest snapshot as soon as it has at least that revision; otherwise like {@link #fresh}.
   */
  public CompletableFuture<Snapshot> applied(long revision) {
    return replaced.isDone()
        ? CompletableFuture.failedFuture(new ReplicaException.Replaced())
        : revisionWaiters.await(revision);
  }

  /**
   * The snapshot of exactly that revision; empty when it is older than what is kept or not applied
   * yet. Its collections each have their own memory: see {@link Snapshot#collection}.
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
   * A cursor over the changes of one collection after that revision, such as that of the snapshot
   * that was listed. A revision that is not applied yet is taken as it is: nothing up to it will be
   * handed over. Where there is no such collection the cursor has ended before it began.
   *
   * @throws ReplicaException.Expired when events after it are not kept any more
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
   * Calls that on the applier thread whenever a snapshot was published; it must be cheap. What is
   * published while this call runs may or may not be told.
   */
  public Subscription onPublish(Runnable action) {
    subscribers.add(action);
    return () -> subscribers.remove(action);
  }

  /**
   * Calls that on the applier thread whenever something has changed in one of these collections,
   * and with the first snapshot; it must be cheap.
   *
   * @param storages where the collections are stored
   */
  public Subscription onChange(Set<String> storages, Runnable action) {
    return onPublish(new ChangeListener(this::current, storages, action));
  }

  /**
   * Has everything read anew, soon: for when values can be read now that could not be. What could
   * be read and has not changed is taken over.
   */
  public void reload() {
    applier.askReload();
  }

  /**
   * Completes, with the reason, when the store turns out to have another history than the one that
   * is shown here. What is attached to it runs on the applier's thread and must be short.
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

  /** Whether the store is in contact and everything that it has is applied. */
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

  /** Compares the replica with the store now; the keys that differ. Blocks; for tests. */
  DivergenceCheck check() {
    return check;
  }

  /** Stops following. What is waited for fails; snapshots stay readable. */
  @Override
  public void close() {
    applier.close();
    applierThread.interrupt();
    if (checkThread != null) {
      checkThread.interrupt();
    }
  }
}
