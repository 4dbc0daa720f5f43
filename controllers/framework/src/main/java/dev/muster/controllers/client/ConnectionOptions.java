package dev.muster.controllers.client;

import java.time.Duration;

/**
 * Connection settings of a client.
 *
 * @param silence the time without data after which a connection is closed, so that a vanished
 *     server is noticed; whole seconds
 */
public record ConnectionOptions(Duration silence) {
  /** Longer than the time between two bookmarks of a watch. */
  private static final Duration SILENCE = Duration.ofSeconds(90);

  public ConnectionOptions {
    if (silence.toSeconds() < 1) {
      throw new IllegalArgumentException("silence: at least one second, got " + silence);
    }
  }

  public static ConnectionOptions defaults() {
    return new ConnectionOptions(SILENCE);
  }
}
