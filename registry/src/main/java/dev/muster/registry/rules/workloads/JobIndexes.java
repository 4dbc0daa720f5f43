package dev.muster.registry.rules.workloads;

import dev.muster.model.GoText;

/** Indexes of a job's pods, written as {@code 0,2-5}. */
final class JobIndexes {
  private JobIndexes() {}

  /**
   * How many there are.
   *
   * @throws IllegalArgumentException with what is wrong with the text
   */
  static long count(String text, long completions) {
    if (text.isEmpty()) {
      return 0;
    }
    long last = -1;
    boolean any = false;
    long total = 0;
    for (var part : text.split(",", -1)) {
      var ends = part.split("-", -1);
      if (ends.length > 2) {
        throw new IllegalArgumentException(
            "the fragment "
                + GoText.quote(part)
                + " violates the requirement that an index interval can have at most two parts"
                + " separated by '-'");
      }
      long from = index(ends[0], completions);
      long to = from;
      if (ends.length == 2) {
        to = index(ends[1], completions);
        if (from >= to) {
          throw unordered(from, to);
        }
      }
      if (any && last >= from) {
        throw unordered(last, from);
      }
      total += to - from + 1;
      last = to;
      any = true;
    }
    return total;
  }

  private static IllegalArgumentException unordered(long previous, long current) {
    return new IllegalArgumentException(
        "non-increasing order, previous: " + previous + ", current: " + current);
  }

  private static long index(String text, long completions) {
    long index;
    try {
      index = Long.parseLong(text);
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
