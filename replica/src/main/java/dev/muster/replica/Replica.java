package dev.muster.replica;

import dev.muster.store.Store;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

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
 * </ul>
 */
public final class Replica implements AutoCloseable {
  private Replica() {}

  /** Starts to load and to follow; answers at once. The store stays the caller's to close. */
  public static Replica start(
      Store store, KeySpace keySpace, ObjectDecoder decoder, ReplicaOptions options) {
    return Pending.body();
  }

  /** The newest snapshot; empty at revision 0 until the first image is loaded. */
  public Snapshot current() {
    return Pending.body();
  }

  /**
   * A snapshot that holds every commit acknowledged, to anybody, before this call. Already done
   * when nothing has to be waited for. Fails with a {@link dev.muster.store.StoreException} when
   * the store cannot be asked. The caller sets the time limit. What is attached to it runs on the
   * applier or an engine thread and must be short.
   */
  public CompletableFuture<Snapshot> fresh() {
    return Pending.body();
  }

  /**
   * The newest snapshot as soon as it has at least that revision; otherwise like {@link #fresh}.
   */
  public CompletableFuture<Snapshot> applied(long revision) {
    return Pending.body();
  }

  /**
   * The snapshot of exactly that revision; empty when it is older than what is kept or not applied
   * yet. Its collections each have their own memory: see {@link Snapshot#collection}.
   */
  public Optional<Snapshot> at(long revision) {
    return Pending.body();
  }

  /** The oldest revision at which every collection can be served. */
  public long oldest() {
    return Pending.body();
  }

  /**
   * A cursor over the changes of one collection after that revision; 0 is not a revision: use the
   * revision of the snapshot that was listed.
   *
   * @throws ReplicaException.Expired when events after it are not kept any more
   */
  public WatchCursor watch(String storage, long afterRevision) {
    return Pending.body();
  }

  /** Calls that on the applier thread whenever a snapshot was published; it must be cheap. */
  public Subscription onPublish(Runnable action) {
    return Pending.body();
  }

  /** Ends an {@link #onPublish}. */
  public interface Subscription extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Looks again at every key that starts so, because the key space or the decoder has changed:
   * entries that are objects now enter their collection, objects are decoded anew, and what is no
   * object any more becomes raw. Watchers are told nothing; completes when it is published.
   */
  public CompletableFuture<Snapshot> adopt(String prefix) {
    return Pending.body();
  }

  /** Whether the store is in contact and everything that it has is applied. */
  public boolean ready() {
    return Pending.body();
  }

  public Health health() {
    return Pending.body();
  }

  /** Stops following. What is waited for fails; snapshots stay readable. */
  @Override
  public void close() {
    Pending.body();
  }
}
