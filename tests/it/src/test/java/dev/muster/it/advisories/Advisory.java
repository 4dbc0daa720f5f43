package dev.muster.it.advisories;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Versions of an artifact that are known to be bad.
 *
 * @param first the first bad version; {@code -} for all before
 * @param fixed the first good one
 */
record Advisory(String name, String artifact, String first, String fixed) {
  /** The advisories of a list, comments left out. */
  static List<Advisory> read(Stream<String> lines) {
    return lines
        .map(String::strip)
        .filter(line -> !line.isEmpty() && !line.startsWith("#"))
        .map(Advisory::of)
        .toList();
  }

  private static Advisory of(String line) {
    var parts = line.split("\\s+");
    boolean sound =
        parts.length == 4
            && parts[0].matches("CVE-\\d{4}-\\d{4,}|GHSA(-[0-9a-z]{4}){3}")
            && (parts[2].equals("-") || parts[2].matches("\\d+(\\.\\d+)*"))
            && parts[3].matches("\\d+(\\.\\d+)*");
    if (!sound) {
      throw new IllegalArgumentException("no advisory: " + line);
    }
    return new Advisory(parts[0], parts[1], parts[2], parts[3]);
  }

  /** Whether it is about that version of that artifact. */
  boolean isAbout(Library library) {
    return artifact.equals(library.artifact())
        && (first.equals("-") || compare(library.version(), first) >= 0)
        && compare(library.version(), fixed) < 0;
  }

  /** By their numbers; a word such as {@code Final} says nothing. */
  private static int compare(String version, String other) {
    return Arrays.compare(numbers(version), numbers(other));
  }

  private static int[] numbers(String version) {
    var numbers =
        Arrays.stream(version.split("[.-]"))
            .takeWhile(part -> part.matches("\\d{1,9}"))
            .mapToInt(Integer::parseInt)
            .toArray();
    int end = numbers.length;
    while (end > 0 && numbers[end - 1] == 0) {
      end--;
    }
    return Arrays.copyOf(numbers, end);
  }
}
