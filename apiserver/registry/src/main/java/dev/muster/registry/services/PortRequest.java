package dev.muster.registry.services;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The node ports that one request takes. A dry run takes none: it is told of ports that others
 * have, but not of the range, and gets numbers that stand for ports. Not for several threads.
 */
final class PortRequest {
  /** Below the first number that a dry run makes up. */
  private static final int MADE_UP = 32768;

  private final PortBitmap bitmap;
  private final boolean dryRun;
  private final List<Integer> tried = new ArrayList<>();

  PortRequest(PortBitmap bitmap, boolean dryRun) {
    this.bitmap = bitmap;
    this.dryRun = dryRun;
  }

  /** Takes a port; says why that is not possible, or null. */
  @Nullable String take(int port) {
    if (!bitmap.covers(port) && !dryRun) {
      return "provided port is not in the valid range. The range of valid ports is "
          + bitmap.range();
    }
    if ((bitmap.covers(port) && bitmap.isTaken(port)) || tried.contains(port)) {
      return "provided port is already allocated";
    }
    if (dryRun) {
      tried.add(port);
    } else {
      bitmap.take(port);
    }
    return null;
  }

  /** Takes any port; 0 when all are taken. */
  int next(RandomGenerator random) {
    if (dryRun) {
      int port = (tried.isEmpty() ? MADE_UP : Collections.max(tried)) + 1;
      tried.add(port);
      return port;
    }
    int port = bitmap.next(random);
    if (port != 0) {
      bitmap.take(port);
    }
    return port;
  }

  void release(int port) {
    if (!dryRun) {
      bitmap.release(port);
    }
  }
}
