package dev.muster.server.watch;

/** Follows the life of a watch, on its event loop. */
public interface WatchObserver {
  void opened();

  /**
   * What the watch begins with is sent, or waits for the client to read. At least once, unless it
   * is closed before.
   */
  void initialised();

  void closed();
}
