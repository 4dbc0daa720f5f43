package dev.muster.controllers.client;

import java.time.Duration;

/**
 * How a client treats its connections.
 *
 * @param silence after which a connection on which nothing came is given up: a server that vanished
 *     without a word is not waited for any longer; whole seconds
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
