package dev.muster.replica;

import java.time.Duration;

/**
 * The health of a replica.
 *
 * @param ready whether the replica is in contact with the store and has applied all its commits
 * @param revision the last applied revision
 * @param storeRevision the newest known revision of the store
 * @param silence the time since the last answer or commit from the store
 * @param objects readable objects in the current snapshot
 * @param unreadable objects in the current snapshot that could not be decoded
 * @param events events kept for watchers
 * @param eventBytes approximate memory of these events
 * @param reloads how often the replica has loaded a whole image after the first
 * @param divergences total number of keys that the divergence check found to differ from the store
 * @param trouble the current problem, or ""
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

  /** The number of known revisions that are not applied yet. */
  public long lag() {
    return Math.max(0, storeRevision - revision);
  }
}
