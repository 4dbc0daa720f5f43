package dev.muster.server.watch;

/** Receives the events in the life of a watch, on its event loop. */
public interface WatchObserver {
  void opened();

  /**
   * The initial events are sent, or wait for the client to read. Called at least once, unless the
   * watch is closed before.
   */
  void initialised();

  /** All initial objects are on their way. */
  void sentInitial(int objects);

  /** A frame of that size is on its way: an event, a bookmark or an error. */
  default void delivered(int bytes) {}

  void closed();
}
