package dev.muster.server.watch;

/** Follows the life of a watch, on its event loop. */
public interface WatchObserver {
  void opened();

  /**
   * What the watch begins with is sent, or waits for the client to read. At least once, unless it
   * is closed before.
   */
  void initialised();

  /** All objects that the watch begins with are on their way. */
  void sentInitial(int objects);

  /** A frame of so many bytes is on its way: an event, a bookmark or an error. */
  default void delivered(int bytes) {}

  void closed();
}
