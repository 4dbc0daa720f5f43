package dev.muster.http.limits;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * Limits the number of connections.
 *
 * @param open all connections; for one more, the oldest unauthenticated connection is closed, or
 *     the new one if there is none
 * @param handshakes connections in their TLS handshake; for one more, the one that has been silent
 *     for the longest is closed
 * @param handshakesPerAddress connections in their TLS handshake from one address; it need not be
 *     higher for a proxy or load balancer, because it concerns silent clients only
 */
public record ConnectionLimits(int open, int handshakes, int handshakesPerAddress) {
  /** File descriptors that are enough for all other purposes. */
  private static final long OTHERS = 300;

  public ConnectionLimits {
    if (open <= 0 || handshakes <= 0 || handshakesPerAddress <= 0) {
      throw new IllegalArgumentException("limits of connections must be positive");
    }
  }

  public static ConnectionLimits standard() {
    return new ConnectionLimits(10_000, 5_000, 500);
  }

  /** These limits, reduced to the file descriptors that the process may use for sockets. */
  public ConnectionLimits within(int descriptors) {
    int most = Math.max(1, Math.min(open, descriptors));
    int unfinished = Math.max(1, Math.min(handshakes, most / 2));
    return new ConnectionLimits(most, unfinished, Math.min(handshakesPerAddress, unfinished));
  }

  /**
   * The file descriptors that this process may still open, less a reserve: a tenth of the limit, or
   * 300 (at most a third of the limit) if that is more. The store, its log and outgoing
   * connections, such as those of controllers in this process, need the reserve.
   */
  public static int availableDescriptors() {
    if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
      long limit = system.getMaxFileDescriptorCount();
      long others = Math.max(limit / 10, Math.min(limit / 3, OTHERS));
      long available = limit - others - system.getOpenFileDescriptorCount();
      return Math.clamp(available, 1, Integer.MAX_VALUE);
    }
    return Integer.MAX_VALUE;
  }
}
