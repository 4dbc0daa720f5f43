package dev.muster.cli.status;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Used by one thread. How far wall clocks are apart, as far as it was seen: a time that another
 * machine wrote says something of its clock only when the moment of writing is known, by a change
 * that was observed. Most clocks are taken to be right; of two, neither.
 */
final class Clocks {
  private static final Duration NOTABLE = Duration.ofMinutes(1);
  private static final String HERE = "this machine";

  private final Map<String, Duration> offsets = new LinkedHashMap<>();

  Clocks() {
    offsets.put(HERE, Duration.ZERO);
  }

  /** Takes how far a clock is ahead of that of this machine, or (negative) behind. */
  void add(String whose, Duration ahead) {
    offsets.put(whose, ahead);
  }

  /** Whether another clock than that of this machine is known. */
  boolean alone() {
    return offsets.size() == 1;
  }

  /** The offset that most clocks have, from the clock of this machine. */
  private Duration usual() {
    var sorted = new ArrayList<>(offsets.values());
    sorted.sort(Duration::compareTo);
    return offsets.size() < 3 ? Duration.ZERO : sorted.get((sorted.size() - 1) / 2);
  }

  /** In whole minutes: looks take time, so that seconds say nothing. */
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
