package dev.muster.cli.status;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Compares wall clocks of machines. A time in an object tells about its writer's clock only if the
 * moment of writing was observed. The offset of most clocks is taken as right; of only two clocks,
 * neither. Not thread-safe.
 */
final class Clocks {
  private static final Duration NOTABLE = Duration.ofMinutes(1);
  private static final String HERE = "this machine";

  private final Map<String, Duration> offsets = new LinkedHashMap<>();

  Clocks() {
    offsets.put(HERE, Duration.ZERO);
  }

  /** Adds the offset of a clock from this machine's; negative if it is behind. */
  void add(String whose, Duration ahead) {
    offsets.put(whose, ahead);
  }

  /** Whether only this machine's clock is known. */
  boolean alone() {
    return offsets.size() == 1;
  }

  /** The most common offset from this machine's clock. */
  private Duration usual() {
    var sorted = new ArrayList<>(offsets.values());
    sorted.sort(Duration::compareTo);
    return offsets.size() < 3 ? Duration.ZERO : sorted.get((sorted.size() - 1) / 2);
  }

  /** In whole minutes, because the observation takes seconds. */
  private static Duration rounded(Duration time) {
    return Duration.ofMinutes(time.plusSeconds(30).toMinutes());
  }

  List<StatusProblem> problems() {
    var usual = usual();
    var found = new ArrayList<StatusProblem>();
    offsets.forEach(
        (whose, offset) -> {
          var ahead = offset.minus(usual);
          if (ahead.abs().compareTo(NOTABLE) > 0) {
            found.add(
                new StatusProblem(
                    "ClockSkew",
                    whose,
                    "the clock of %s is %s %s that of %s"
                        .formatted(
                            whose,
                            StatusText.length(rounded(ahead.abs())),
                            ahead.isNegative() ? "behind" : "ahead of",
                            offsets.size() < 3 ? HERE : "the others"),
                    "set the clock there, for example with NTP; leadership and Leases do not"
                        + " depend on it, times of objects, certificates and tokens do"));
          }
        });
    return found;
  }
}
