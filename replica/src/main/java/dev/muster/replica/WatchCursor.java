package dev.muster.replica;

import java.util.function.Consumer;

/**
 * Owned by one thread at a time: a place in the shared events of one collection. Costs nobody
 * anything while it is not polled, needs no closing, and has no queue of its own.
 */
public final class WatchCursor {
  WatchCursor() {}

  /**
   * Hands over the next events, each once and in order, without waiting; answers how many.
   *
   * @param most how many at the most
   * @throws ReplicaException.Expired when the next event is not kept any more; the watch must then
   *     start again from a list
   */
  public int poll(int most, Consumer<WatchEvent> sink) {
    return Pending.body();
  }

  /** The revision up to which every event of the collection has been handed over. */
  public long position() {
    return Pending.body();
  }
}
