package dev.muster.validation.batch;

import dev.muster.model.MalformedValueException;
import dev.muster.model.gocompat.GoDuration;
import dev.muster.model.gocompat.GoNumber;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Validates cron schedules: five fields, or a descriptor such as {@code @daily}. */
final class CronSchedule {
  private static final Set<String> WORDS =
      Set.of("@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly");
  private static final Map<String, Integer> MONTHS =
      Map.ofEntries(
          Map.entry("jan", 1),
          Map.entry("feb", 2),
          Map.entry("mar", 3),
          Map.entry("apr", 4),
          Map.entry("may", 5),
          Map.entry("jun", 6),
          Map.entry("jul", 7),
          Map.entry("aug", 8),
          Map.entry("sep", 9),
          Map.entry("oct", 10),
          Map.entry("nov", 11),
          Map.entry("dec", 12));
  private static final Map<String, Integer> DAYS =
      Map.of("sun", 0, "mon", 1, "tue", 2, "wed", 3, "thu", 4, "fri", 5, "sat", 6);

  /** The allowed numbers of a field, and names for them. */
  private record Bounds(long least, long most, Map<String, Integer> names) {}

  private static final List<Bounds> FIELDS =
      List.of(
          new Bounds(0, 59, Map.of()),
          new Bounds(0, 23, Map.of()),
          new Bounds(1, 31, Map.of()),
          new Bounds(1, 12, MONTHS),
          new Bounds(0, 6, DAYS));

  private CronSchedule() {}

  /** The error in a schedule; "" when it is valid. */
  static String problem(String schedule) {
    var text = schedule;
    if (text.startsWith("TZ=") || text.startsWith("CRON_TZ=")) {
      int space = text.indexOf(' ');
      if (space < 0) {
        return "invalid schedule format: runtime error: slice bounds out of range [:-1]";
      }
      var zone = text.substring(text.indexOf('=') + 1, space);
      var problem = TimeZones.problem(zone);
      if (!problem.isEmpty()) {
        return "provided bad location " + zone + ": " + problem;
      }
      text = text.substring(space).strip();
    }
    if (text.startsWith("@")) {
      return word(text);
    }
    var fields = text.strip().split("\\s+");
    if (fields.length != FIELDS.size()) {
      var list = text.isBlank() ? "[]" : "[" + String.join(" ", fields) + "]";
      int count = text.isBlank() ? 0 : fields.length;
      return "expected exactly 5 fields, found " + count + ": " + list;
    }
    for (int i = 0; i < fields.length; i++) {
      for (var part : fields[i].split(",")) {
        var problem = part.isEmpty() ? "" : range(part, FIELDS.get(i));
        if (!problem.isEmpty()) {
          return problem;
        }
      }
    }
    return "";
  }

  private static String word(String text) {
    if (WORDS.contains(text)) {
      return "";
    }
    if (text.startsWith("@every ")) {
      try {
        GoDuration.parse(text.substring("@every ".length()));
        return "";
      } catch (MalformedValueException e) {
        return "failed to parse duration " + text + ": " + e.getMessage();
      }
    }
    return "unrecognized descriptor: " + text;
  }

  private static String range(String text, Bounds bounds) {
    var stepped = text.split("/", -1);
    var ends = stepped[0].split("-", -1);
    long from = bounds.least();
    long to = bounds.most();
    try {
      if (!ends[0].equals("*") && !ends[0].equals("?")) {
        from = number(ends[0], bounds);
        if (ends.length > 2) {
          return "too many hyphens: " + text;
        }
        to = ends.length == 2 ? number(ends[1], bounds) : stepped.length == 2 ? to : from;
      }
      if (stepped.length > 2) {
        return "too many slashes: " + text;
      }
      long step = stepped.length == 2 ? number(stepped[1], new Bounds(0, 0, Map.of())) : 1;
      if (from < bounds.least()) {
        return "beginning of range (" + from + ") below minimum (" + bounds.least() + "): " + text;
      }
      if (to > bounds.most()) {
        return "end of range (" + to + ") above maximum (" + bounds.most() + "): " + text;
      }
      if (from > to) {
        return "beginning of range (" + from + ") beyond end of range (" + to + "): " + text;
      }
      return step == 0 ? "step of range should be a positive number: " + text : "";
    } catch (IllegalArgumentException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static long number(String text, Bounds bounds) {
    var named = bounds.names().get(text.toLowerCase(Locale.ROOT));
    if (named != null) {
      return named;
    }
    long number;
    try {
      number = GoNumber.parse(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "failed to parse int from " + text + ": strconv.Atoi: " + e.getMessage(), e);
    }
    if (number < 0) {
      throw new IllegalArgumentException("negative number (" + number + ") not allowed: " + text);
    }
    return number;
  }
}
