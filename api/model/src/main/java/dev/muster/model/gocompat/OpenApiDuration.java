package dev.muster.model.gocompat;

import dev.muster.model.MalformedValueException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Parses texts of the OpenAPI format {@code duration}: Go's durations, and numbers with units that
 * may be words, such as {@code 2 hours} or {@code 1 day 3 min}.
 */
public final class OpenApiDuration {
  private static final Pattern PART = Pattern.compile("\\s*([0-9]+)\\s*([A-Za-zµ]+)\\s*");

  /**
   * @param word the start of longer names of the unit
   */
  private record Unit(List<String> names, String word, long nanos) {
    boolean isNamed(String name) {
      return names.contains(name) || name.startsWith(word);
    }
  }

  private static final List<Unit> UNITS =
      List.of(
          new Unit(List.of("ns"), "nano", 1),
          new Unit(List.of("us", "µs"), "micro", 1_000),
          new Unit(List.of("ms"), "milli", 1_000_000),
          new Unit(List.of("s"), "sec", 1_000_000_000),
          new Unit(List.of("m"), "min", 60_000_000_000L),
          new Unit(List.of("h", "hr"), "hour", 3_600_000_000_000L),
          new Unit(List.of("d"), "day", 86_400_000_000_000L),
          new Unit(List.of("w", "wk"), "week", 604_800_000_000_000L));

  private OpenApiDuration() {}

  /**
   * Parses a duration; ignores parts with an unknown unit beside valid parts.
   *
   * @throws MalformedValueException when no part is valid
   */
  public static Duration parse(String text) {
    try {
      return GoDuration.parse(text);
    } catch (MalformedValueException notOfGo) {
      return parts(text);
    }
  }

  private static Duration parts(String text) {
    var part = PART.matcher(text);
    boolean known = false;
    long nanos = 0;
    int at = 0;
    while (at < text.length()) {
      if (!part.find(at) || part.start() != at) {
        throw malformed(text);
      }
      long count;
      try {
        count = Long.parseLong(part.group(1));
      } catch (NumberFormatException e) {
        throw malformed(text);
      }
      var name = part.group(2).toLowerCase(Locale.ROOT);
      for (var unit : UNITS) {
        if (unit.isNamed(name)) {
          known = true;
          nanos += count * unit.nanos();
        }
      }
      at = part.end();
    }
    if (!known) {
      throw malformed(text);
    }
    return Duration.ofNanos(nanos);
  }

  private static MalformedValueException malformed(String text) {
    return new MalformedValueException("unable to parse " + text + " as duration");
  }
}
