package dev.muster.multicluster.conformance;

import java.time.Duration;
import java.util.Set;

/** Causes faults of API servers, as far as the user allows. Not thread-safe. Blocks the caller. */
public interface Faults {
  /** A kind of fault. */
  enum Kind {
    /** The server ends at once and does not restart by itself. */
    KILL,
    /** The server stands still until it is resumed. */
    PAUSE,
    RESUME,
    /** The wall clock of the server is ahead by a number of seconds; 0 for the right time. */
    SKEW
  }

  /** No faults. */
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

  /** The possible kinds; {@code PAUSE} includes resuming. */
  Set<Kind> possible();

  /** How long a fleet may take to react. */
  Duration patience();

  /**
   * Causes a fault.
   *
   * @param id of the server
   * @param address at which the server is published, with a port
   * @param seconds the error of the clock; 0 for other kinds
   * @throws IllegalStateException if that fails
   */
  void cause(Kind kind, String id, String address, long seconds) throws InterruptedException;
}
