package dev.muster.store;

import java.time.Duration;
import java.util.List;

/** The stream of commits that follow one revision. One thread pulls from it. */
public interface Feed extends AutoCloseable {

  /**
   * Returns all commits that have arrived since the last call. Waits up to {@code patience} for the
   * first one and returns an empty list when none comes. When the store loses its connection, the
   * feed waits and resumes on its own; {@link #connected} reports that state.
   *
   * @throws StoreException.Compacted when the feed fell behind the compacted history
   * @throws StoreException.Replaced when the store no longer has the history that this feed follows
   * @throws StoreException.Closed when the store was closed
   */
  List<Commit> take(Duration patience) throws InterruptedException;

  /** Whether the feed has a connection over which new commits would reach it now. */
  boolean connected();

  @Override
  void close();
}
