package dev.muster.registry.services;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The node port allocations of one request. A dry run allocates none: it reports conflicts with
 * allocated ports, but ignores the range, and returns placeholder numbers. Not thread-safe.
 */
final class PortRequest {
  /** Placeholder ports of a dry run start above this number. */
  private static final int MADE_UP = 32768;

  private final PortBitmap bitmap;
  private final boolean dryRun;
  private final List<Integer> tried = new ArrayList<>();

  PortRequest(PortBitmap bitmap, boolean dryRun) {
    this.bitmap = bitmap;
    this.dryRun = dryRun;
  }

  /** Allocates a port; returns the reason for a failure, or null. */
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

  /** Allocates any free port; 0 when there is none. */
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
