package dev.muster.http.limits;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * How many connections there may be at a time.
 *
 * @param open all of them; for one more, the oldest goes whose handshake or first authenticated
 *     request is still to come, and where there is none the new one is closed
 * @param handshakes those whose TLS handshake is not finished; for one more, the one goes that has
 *     been silent for the longest
 * @param handshakesPerAddress the same among those from one address; a proxy or a load balancer in
 *     front of many clients needs no more, because it is about clients that do not even say hello
 */
public record ConnectionLimits(int open, int handshakes, int handshakesPerAddress) {
  /** So many files are enough for everybody else. */
  private static final long OTHERS = 300;

  public ConnectionLimits {
    if (open <= 0 || handshakes <= 0 || handshakesPerAddress <= 0) {
      throw new IllegalArgumentException("limits of connections must be positive");
    }
  }

  public static ConnectionLimits standard() {
    return new ConnectionLimits(10_000, 5_000, 500);
  }

  /** These limits, where the process may have fewer files open: sockets are files. */
  public ConnectionLimits within(int descriptors) {
    int most = Math.max(1, Math.min(open, descriptors));
    int unfinished = Math.max(1, Math.min(handshakes, most / 2));
    return new ConnectionLimits(most, unfinished, Math.min(handshakesPerAddress, unfinished));
  }

  /**
   * The files that this process may still open, less a tenth of all, or a third where they are few:
   * the store, its log, and connections to others, such as those of controllers in this process,
   * need some, too.
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
