package dev.muster.http.limits;

import java.time.Duration;

/**
 * The time that a client may take.
 *
 * @param handshake for the TLS handshake; a client that is silent for a tenth of it may be closed
 *     to make room for others
 * @param header from the first byte of a request (or from the handshake) to the end of its headers
 * @param bodyStall between two pieces of a request body
 * @param body for the whole request body
 * @param idle for a connection without a running request
 * @param writeStall without reading a single byte of the data that waits for it
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

  /** The header and idle timeouts of kube-apiserver, and the handshake timeout of Go. */
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
