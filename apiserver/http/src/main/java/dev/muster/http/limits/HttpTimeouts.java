package dev.muster.http.limits;

import java.time.Duration;

/**
 * How long a client may take.
 *
 * @param handshake for the TLS handshake; a tenth of it without a word when others need the place
 * @param header from the first byte of a request (or from the handshake) to the end of its headers
 * @param bodyStall between two pieces of a request body
 * @param body for the whole request body
 * @param idle for a connection without a request under way
 * @param writeStall without taking a single byte of what is ready to be sent to it
 */
public record HttpTimeouts(
    Duration handshake,
    Duration header,
    Duration bodyStall,
    Duration body,
    Duration idle,
    Duration writeStall) {

  public HttpTimeouts {
    for (var timeout : new Duration[] {handshake, header, bodyStall, body, idle, writeStall}) {
      if (timeout.isNegative() || timeout.isZero()) {
        throw new IllegalArgumentException("a timeout must be positive, not " + timeout);
      }
    }
  }

  /** kube-apiserver's header and idle timeouts, Go's handshake timeout. */
  public static HttpTimeouts standard() {
    return new HttpTimeouts(
        Duration.ofSeconds(10),
        Duration.ofSeconds(32),
        Duration.ofSeconds(30),
        Duration.ofSeconds(60),
        Duration.ofSeconds(90),
        Duration.ofSeconds(60));
  }

  public Duration shortest() {
    Duration shortest = handshake;
    for (var timeout : new Duration[] {header, bodyStall, body, idle, writeStall}) {
      if (timeout.compareTo(shortest) < 0) {
        shortest = timeout;
      }
    }
    return shortest;
  }
}
