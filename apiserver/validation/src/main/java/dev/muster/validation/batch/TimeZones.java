package dev.muster.validation.batch;

import java.time.ZoneId;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Validates time zone names against the time zone database. */
final class TimeZones {
  private static final Set<String> NAMES =
      Stream.concat(
              ZoneId.getAvailableZoneIds().stream().filter(name -> !name.startsWith("SystemV/")),
              Stream.of("EST", "MST", "HST", "ROC", "GMT+0", "GMT-0", "Factory"))
          .collect(Collectors.toUnmodifiableSet());

  private TimeZones() {}

  /** The error in a name; "" when it is valid. */
  static String problem(String name) {
    if (name.isEmpty() || name.equals("Local") || NAMES.contains(name)) {
      return "";
    }
    return name.contains("..") || name.charAt(0) == '/' || name.charAt(0) == '\\'
        ? "time: invalid location name"
        : "unknown time zone " + name;
  }
}
