package dev.muster.fleet.endpoints;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Owned by one thread. How long things have been seen not to change, by this server's own
 * observation: neither the clocks of others nor jumps of our own matter, and time in which this
 * process was stopped or had no contact to the store counts for next to nothing.
 */
final class Sightings {
  private static final Duration LONGEST_STEP = Duration.ofSeconds(1);

  private record Seen(String version, Duration since) {}

  private final Map<String, Seen> seen = new HashMap<>();
  private Duration watched = Duration.ZERO;
  private Duration last = Duration.ZERO;
  private Map<String, String> lastLook = Map.of();

  /**
   * Looks at everything that there is.
   *
   * @param versions what there is, with something that changes whenever its owner renews it
   * @param uptime a time that never goes back
   */
  void look(Map<String, String> versions, Duration uptime) {
    var step = uptime.minus(last);
    last = uptime;
    watched = watched.plus(step.compareTo(LONGEST_STEP) > 0 ? LONGEST_STEP : step);
    if (versions == lastLook) {
      return;
    }
    lastLook = versions;
    seen.keySet().retainAll(versions.keySet());
    versions.forEach(
        (key, version) -> {
          var known = seen.get(key);
          if (known == null || !known.version().equals(version)) {
            seen.put(key, new Seen(version, watched));
          }
        });
  }

  /** Time passes in which nothing can be seen. */
  void blind(Duration uptime) {
    last = uptime;
  }

  /** For how long that has been watched without a change; zero for what is not there. */
  Duration unchanged(String key) {
    var known = seen.get(key);
    return known == null ? Duration.ZERO : watched.minus(known.since());
  }
}
