package dev.muster.store;

import java.time.Duration;
import java.util.List;

/** The tail of the log, pulled by one thread. */
public interface Feed extends AutoCloseable {

  /**
   * All commits that have arrived since the last call; waits up to that long for the first one and
   * answers an empty list when none comes. While the engine has no connection it waits and resumes
   * by itself; {@link #connected} tells.
   *
   * @throws StoreException.Compacted when the feed fell behind the compacted history
   * @throws StoreException.Replaced when the store no longer has the history that was followed
   * @throws StoreException.Closed when the store was closed
   */
  List<Commit> take(Duration patience) throws InterruptedException;

  /** Whether the engine believes that commits would reach this feed now. */
  boolean connected();

  @Override
  void close();
}
