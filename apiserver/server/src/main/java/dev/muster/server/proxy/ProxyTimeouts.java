package dev.muster.server.proxy;

import java.time.Duration;

/**
 * How long a backend may take. A whole answer may take for ever, as long as something comes; a
 * client that goes away ends everything at once, and a backend whose machine is gone is noticed by
 * keep-alive probes.
 *
 * @param connect until a connection is there, names looked up
 * @param handshake of TLS
 * @param head until an answer begins
 * @param idle without a byte of an answer, or in either direction once the protocol was switched
 */
public record ProxyTimeouts(Duration connect, Duration handshake, Duration head, Duration idle) {
  /** Go's for the first two; kubelets end streams after four hours, too. */
  public static ProxyTimeouts standard() {
    return new ProxyTimeouts(
        Duration.ofSeconds(30),
        Duration.ofSeconds(10),
        Duration.ofMinutes(10),
        Duration.ofHours(4));
  }
}
