package dev.muster.store;

import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/**
 * One ordered, gap-free log of revisions over a flat key space. It holds all durable state of a
 * cluster. Thread-safe.
 *
 * <p>Every implementation guarantees:
 *
 * <ul>
 *   <li>Every commit gets a revision higher than all earlier ones. Revisions start at 1 and never
 *       decrease, not even over a restart. All changes of one commit carry its revision.
 *   <li>The store acknowledges a commit only when it is durable. When the outcome is ambiguous, the
 *       store finds it out by reading, or returns {@link CommitResult.Unknown}.
 *   <li>{@link #readIndex} is linearizable: it is at least the revision of every commit that was
 *       acknowledged to any client before the call.
 *   <li>After its history was replaced, a store answers every call with {@link
 *       StoreException.Replaced} and acknowledges no commit of the old history. Only stores whose
 *       data can be replaced while they run check for this.
 *   <li>{@link #follow} yields every commit after a revision once and in order. Each revision has a
 *       commit, even when none of its changes is in this key space.
 * </ul>
 *
 * <p>Keys are absolute paths such as {@code /configmaps/default/game}. A store that shares its key
 * space with other clients adds its prefix to them. Futures fail with a {@link StoreException}.
 * Callers that must not block attach continuations; a thread of the store runs these, so they must
 * be short.
 */
public interface Store extends AutoCloseable {

  /** Applies all operations, or none when a guard fails. */
  CompletableFuture<CommitResult> commit(Transaction transaction);

  /** The latest committed revision. Concurrent callers share one round trip. */
  CompletableFuture<Long> readIndex();

  /** All keys at one revision. Blocks; the caller closes the image. */
  Image image();

  /**
   * Follows the log from the first commit after that revision.
   *
   * @throws StoreException.Compacted when that history is compacted
   */
  Feed follow(long afterRevision);

  /**
   * Compacts the history up to and including that revision; the current state stays complete. Does
   * nothing when that history is already compacted.
   *
   * @throws IllegalArgumentException when the log has not reached that revision
   */
  void compact(long revision);

  /** The oldest revision after which {@link #follow} can start. */
  long compactedRevision();

  /**
   * The reason why the store refuses some or all writes, for the operator of the server; empty when
   * it accepts every write. Never blocks.
   */
  default String degradedReason() {
    return "";
  }

  /** The size of the database in bytes; empty for a store without a database. */
  default CompletableFuture<OptionalLong> databaseBytes() {
    return CompletableFuture.completedFuture(OptionalLong.empty());
  }

  /** The prefix of this store's keys in the database, as in etcd. */
  default String prefix() {
    return "/registry";
  }

  /**
   * Whether writing the unchanged value again would change how it is encrypted, for example after a
   * key rotation. Never blocks.
   */
  default boolean needsRewrite(String key, EncryptionState encryptionState) {
    return false;
  }

  @Override
  void close();
}
