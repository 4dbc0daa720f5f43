package dev.muster.store;

import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/**
 * One gap-free, ordered log of revisions over a flat key space: all that is durable in a cluster.
 *
 * <p>Guarantees, the same for every engine:
 *
 * <ul>
 *   <li>Every commit gets a revision higher than all before it; revisions start at 1 and never go
 *       back, not even over a restart. All changes of one commit carry its revision.
 *   <li>A commit is acknowledged only when it is durable. When its outcome cannot be known it is
 *       resolved by reading, or answered as {@link CommitResult.Unknown}, never guessed.
 *   <li>{@link #readIndex} is linearizable: it is at least the revision of every commit that was
 *       acknowledged, to anybody, before the call.
 *   <li>A store whose history is replaced by another one answers everything with {@link
 *       StoreException.Replaced} from then on, and acknowledges nothing of the old one. Only
 *       engines whose data others can replace while they run look for that.
 *   <li>{@link #follow} yields every commit after a revision, in order, none missing, none twice,
 *       with an entry for each revision even when none of its changes concerns this key space.
 * </ul>
 *
 * <p>Keys are absolute paths such as {@code /configmaps/default/game}; an engine that shares its
 * key space with others adds its prefix itself. Safe for use by many threads. Futures complete
 * exceptionally with a {@link StoreException}; callers that must not block attach continuations,
 * which run on an engine thread and must be short.
 */
public interface Store extends AutoCloseable {

  /** Applies all operations or none. Succeeds only when every guard holds. */
  CompletableFuture<CommitResult> commit(Transaction transaction);

  /** The latest committed revision; concurrent callers share one round trip. */
  CompletableFuture<Long> readIndex();

  /** The whole key space at one revision. Blocks; the caller closes it. */
  Image image();

  /**
   * Follows the log from the first commit after that revision.
   *
   * @throws StoreException.Compacted when that history is gone
   */
  Feed follow(long afterRevision);

  /**
   * Forgets the history up to and including that revision; the current state stays whole. Does
   * nothing when it is forgotten already.
   *
   * @throws IllegalArgumentException when that revision has not been reached
   */
  void compact(long revision);

  /** The oldest revision that {@link #follow} can still start after. */
  long compactedRevision();

  /**
   * What keeps the store from taking every write, in words for whoever runs it; empty when nothing
   * does. Never blocks.
   */
  default String degradedReason() {
    return "";
  }

  /** How many bytes the store takes where it is kept; empty when it is kept nowhere. */
  default CompletableFuture<OptionalLong> databaseBytes() {
    return CompletableFuture.completedFuture(OptionalLong.empty());
  }

  /** What comes before this store's keys where others would look for them, as etcd's prefix. */
  default String prefix() {
    return "/registry";
  }

  /**
   * Whether a value that is stored so would be sealed in another way, or not at all, if it were
   * written now: then writing it unchanged changes the store. Never blocks.
   */
  default boolean needsRewrite(String key, EncryptionState encryptionState) {
    return false;
  }

  @Override
  void close();
}
