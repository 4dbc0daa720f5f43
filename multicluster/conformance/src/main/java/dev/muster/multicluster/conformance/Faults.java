package dev.muster.multicluster.conformance;

import java.time.Duration;
import java.util.Set;

/** Causes faults of API servers, where its user allows that. Used by one thread; blocks it. */
public interface Faults {
  /** A kind of fault. */
  enum Kind {
    /** The server ends at once, and does not come back by itself. */
    KILL,
    /** The server stands still until it is resumed. */
    PAUSE,
    RESUME,
    /** The wall clock of the server is so many seconds ahead; 0 for a right one. */
    SKEW
  }

  /** No faults at all. */
  Faults NONE =
      new Faults() {
        @Override
        public Set<Kind> possible() {
          return Set.of();
        }

        @Override
        public Duration patience() {
          return Duration.ZERO;
        }

        @Override
        public void cause(Kind kind, String id, String address, long seconds) {
          throw new IllegalStateException("no fault is possible");
        }
      };

  /** Those that can be caused; whoever can pause can resume. */
  Set<Kind> possible();

  /** How long a fleet may take to notice. */
  Duration patience();

  /**
   * Causes one.
   *
   * @param id of the server
   * @param address at which the server is published, with a port
   * @param seconds by which a clock is wrong; 0 for the other kinds
   * @throws IllegalStateException if that fails
   */
  void cause(Kind kind, String id, String address, long seconds) throws InterruptedException;
}
