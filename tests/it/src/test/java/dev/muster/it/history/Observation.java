package dev.muster.it.history;

import java.util.List;
import java.util.Map;

/**
 * What one client did or saw. Objects are registers: a key holds a value, and every write has a
 * value of its own. Times are {@link System#nanoTime} of one process.
 */
public sealed interface Observation {
  /** No revision: the object was not there, or the answer did not tell. */
  long NONE = 0;

  /** How a write ended, for its client. */
  enum Outcome {
    /** The server said that it was done. */
    ACKNOWLEDGED,
    /** The server said that it was not done. */
    REFUSED,
    /** Nobody knows: the connection broke, or the server did not know either. */
    UNKNOWN
  }

  /** A create or an update; the revision is known when it was acknowledged. */
  record Write(String key, String value, long began, long ended, Outcome outcome, long revision)
      implements Observation {}

  /** A delete of a key that is never made again. */
  record Delete(String key, long began, long ended, Outcome outcome) implements Observation {}

  /** A linearizable read; revision {@link #NONE} when the object was not there. */
  record Read(String key, String value, long revision, long began, long ended)
      implements Observation {}

  /** A linearizable list of everything. */
  record Listing(long revision, Map<String, String> values, long began, long ended)
      implements Observation {}

  /** One event of a watch; a deleted object has its last value. */
  record Event(String key, String value, long revision, boolean deleted) {}

  /**
   * What a watch saw between a list and the point at which it had to list again, whatever servers
   * and connections it went through.
   *
   * @param after the revision of the list
   * @param upTo what it has certainly seen everything of: the last event or bookmark
   */
  record Watch(String name, long after, long upTo, List<Event> events) implements Observation {}
}
