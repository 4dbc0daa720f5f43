package dev.muster.replica;

import java.time.Duration;

/**
 * How a replica is doing.
 *
 * @param ready in contact with the store and caught up with it
 * @param revision the last applied revision
 * @param storeRevision the newest revision that the store is known to have
 * @param silence how long ago the store was last heard of
 * @param objects readable objects in the current snapshot
 * @param unreadable objects in the current snapshot that could not be decoded
 * @param events events kept for watchers
 * @param eventBytes what they hold in memory, about
 * @param reloads times the whole key space was read anew after the start
 * @param divergences keys that the background check ever found to differ from the store
 * @param trouble what is wrong, or ""
 */
public record Health(
    boolean ready,
    long revision,
    long storeRevision,
    Duration silence,
    long objects,
    int unreadable,
    long events,
    long eventBytes,
    long reloads,
    long divergences,
    String trouble) {

  /** Revisions that are known to exist and not applied yet. */
  public long lag() {
    return Math.max(0, storeRevision - revision);
  }
}
