package dev.muster.validation.batch;

import dev.muster.model.gocompat.GoNumber;
import dev.muster.model.gocompat.GoText;
import java.util.ArrayList;
import java.util.List;

/** Parses the completion indexes of a Job, such as {@code 0,2-5}. */
final class JobIndexes {
  private JobIndexes() {}

  /**
   * The number of indexes.
   *
   * @throws IllegalArgumentException with the error in the text
   */
  static long count(String text, long completions) {
    if (text.isEmpty()) {
      return 0;
    }
    long last = -1;
    boolean any = false;
    long total = 0;
    for (var part : text.split(",", -1)) {
      var interval = Interval.of(part, completions);
      long from = interval.from;
      long to = interval.to;
      if (any && last >= from) {
        throw unordered(last, from);
      }
      total += to - from + 1;
      last = to;
      any = true;
    }
    return total;
  }

  /** A range of indexes, both ends included. */
  private record Interval(long from, long to) {
    static Interval of(String part, long completions) {
      var ends = part.split("-", -1);
      if (ends.length > 2) {
        throw new IllegalArgumentException(
            "the fragment "
                + GoText.quote(part)
                + " violates the requirement that an index interval can have at most two parts"
                + " separated by '-'");
      }
      long from = index(ends[0], completions);
      if (ends.length == 1) {
        return new Interval(from, from);
      }
      long to = index(ends[1], completions);
      if (from >= to) {
        throw unordered(from, to);
      }
      return new Interval(from, to);
    }
  }

  /**
   * The first index that both texts contain, or -1. Indexes must be in ascending order; unreadable
   * parts are skipped.
   */
  static long common(String one, String other, long completions) {
    if (one.isEmpty() || other.isEmpty()) {
      return -1;
    }
    var first = intervals(one, completions);
    var second = intervals(other, completions);
    int i = 0;
    int k = 0;
    while (i < first.size() && k < second.size()) {
      var a = first.get(i);
      var b = second.get(k);
      if (a.from <= b.to && b.from <= a.to) {
        return Math.max(a.from, b.from);
      }
      if (a.from <= b.from) {
        i++;
      } else {
        k++;
      }
    }
    return -1;
  }

  private static List<Interval> intervals(String text, long completions) {
    var found = new ArrayList<Interval>();
    for (var part : text.split(",", -1)) {
      try {
        found.add(Interval.of(part, completions));
      } catch (IllegalArgumentException e) {
        // Reported where the text itself is validated.
      }
    }
    return found;
  }

  private static IllegalArgumentException unordered(long previous, long current) {
    return new IllegalArgumentException(
        "non-increasing order, previous: " + previous + ", current: " + current);
  }

  private static long index(String text, long completions) {
    long index;
    try {
      index = GoNumber.parse(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "cannot convert string to integer for index: " + GoText.quote(text), e);
    }
    if (index >= completions) {
      throw new IllegalArgumentException("too large index: " + GoText.quote(text));
    }
    return index;
  }
}
