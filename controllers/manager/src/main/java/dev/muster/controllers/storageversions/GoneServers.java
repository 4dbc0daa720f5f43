package dev.muster.controllers.storageversions;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Used by one thread at a time. Decides who is gone: whoever was not there at three looks, an
 * interval apart. One look is not enough, because a server whose Lease was deleted by accident
 * makes it again at its next heartbeat; a look that could not be had does not count.
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
   * Looks once more.
   *
   * @param mentioned all that there is to decide about
   * @param present those of them, and perhaps others, that are certainly there
   * @param now by a clock that never jumps
   * @return those that are gone
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

  /** Whether there is somebody to look for again. */
  boolean isSuspicious() {
    return !missing.isEmpty();
  }
}
