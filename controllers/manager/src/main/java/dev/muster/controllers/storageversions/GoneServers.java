package dev.muster.controllers.storageversions;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Decides which API servers are gone: those absent at three checks, an interval apart. One check is
 * not enough, because a server recreates an accidentally deleted Lease at its next heartbeat.
 * Failed checks do not count. Not thread-safe.
 */
final class GoneServers {
  private static final int LOOKS = 3;

  private record Missing(int looks, long last) {}

  private final Duration interval;
  private final Map<String, Missing> missing = new HashMap<>();

  GoneServers(Duration interval) {
    this.interval = interval;
  }

  /**
   * Checks once more.
   *
   * @param mentioned all servers to decide about
   * @param present servers that certainly exist
   * @param now on a monotonic clock
   * @return the servers that are gone
   */
  Set<String> check(Set<String> mentioned, Set<String> present, long now) {
    missing.keySet().removeIf(name -> !mentioned.contains(name) || present.contains(name));
    var gone = new HashSet<String>();
    for (var name : mentioned) {
      if (present.contains(name)) {
        continue;
      }
      var before = missing.get(name);
      if (before == null) {
        missing.put(name, new Missing(1, now));
      } else if (now - before.last() >= interval.toNanos()) {
        missing.put(name, new Missing(before.looks() + 1, now));
      }
      var known = missing.get(name);
      if (known != null && known.looks() >= LOOKS) {
        gone.add(name);
      }
    }
    return gone;
  }

  /** Whether another check is needed. */
  boolean isSuspicious() {
    return !missing.isEmpty();
  }
}
