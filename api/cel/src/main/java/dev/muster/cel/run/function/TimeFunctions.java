package dev.muster.cel.run.function;

import dev.muster.cel.value.EvaluationException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Map;
import java.util.function.ToLongFunction;

/** Functions for parts of timestamps, in UTC or a named zone, and of durations. */
public final class TimeFunctions {
  private TimeFunctions() {}

  public static void addTo(Map<String, Function> all) {
    all.put("getFullYear", of(ZonedDateTime::getYear));
    all.put("getMonth", of(time -> time.getMonthValue() - 1));
    all.put("getDayOfYear", of(time -> time.getDayOfYear() - 1));
    all.put("getDate", of(ZonedDateTime::getDayOfMonth));
    all.put("getDayOfMonth", of(time -> time.getDayOfMonth() - 1));
    all.put("getDayOfWeek", of(time -> time.getDayOfWeek().getValue() % 7));
    all.put("getHours", of(ZonedDateTime::getHour, Duration::toHours));
    all.put("getMinutes", of(ZonedDateTime::getMinute, Duration::toMinutes));
    all.put("getSeconds", of(ZonedDateTime::getSecond, d -> Durations.nanos(d) / 1_000_000_000));
    all.put(
        "getMilliseconds",
        of(time -> time.getNano() / 1_000_000, d -> Durations.nanos(d) / 1_000_000));
  }

  private static Function of(ToLongFunction<ZonedDateTime> part) {
    return values ->
        part.applyAsLong(
            ((Instant) values[0]).atZone(values.length > 1 ? zone((String) values[1]) : utc()));
  }

  private static Function of(
      ToLongFunction<ZonedDateTime> ofTime, ToLongFunction<Duration> ofDuration) {
    var times = of(ofTime);
    return values ->
        values[0] instanceof Duration duration && values.length == 1
            ? (Object) ofDuration.applyAsLong(duration)
            : times.of(values);
  }

  private static ZoneId utc() {
    return ZoneOffset.UTC;
  }

  private static ZoneId zone(String name) {
    try {
      int colon = name.indexOf(':');
      if (colon < 0) {
        return name.isEmpty() ? ZoneOffset.UTC : ZoneId.of(name);
      }
      int hours = Integer.parseInt(name.substring(0, colon));
      int minutes = Integer.parseInt(name.substring(colon + 1));
      int sign = name.startsWith("-") ? -1 : 1;
      return ZoneOffset.ofTotalSeconds((hours * 60 + sign * minutes) * 60);
    } catch (DateTimeException | NumberFormatException e) {
      throw new EvaluationException("unknown time zone " + name);
    }
  }
}
