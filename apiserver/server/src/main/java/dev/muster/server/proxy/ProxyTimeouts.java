package dev.muster.server.proxy;

import java.time.Duration;

/**
 * The timeouts of a backend. A whole response may take any time as long as bytes arrive. When the
 * client goes away, everything ends at once. Keep-alive probes detect a backend whose machine is
 * gone.
 *
 * @param connect until the connection is established, including lookups
 * @param handshake of TLS
 * @param head until a response begins
 * @param idle without a byte of a response, or in either direction after a switch of protocols
 */
public record ProxyTimeouts(Duration connect, Duration handshake, Duration head, Duration idle) {
  /** Go's values for the first two; kubelets, too, end idle streams after four hours. */
  public static ProxyTimeouts standard() {
    return new ProxyTimeouts(
        Duration.ofSeconds(30),
        Duration.ofSeconds(10),
        Duration.ofMinutes(10),
        Duration.ofHours(4));
  }
}
