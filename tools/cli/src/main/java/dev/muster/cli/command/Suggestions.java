package dev.muster.cli.command;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Suggests known names for mistyped ones. */
final class Suggestions {
  private Suggestions() {}

  /** The nearest known name; empty when all are too different. */
  static Optional<String> nearest(String typed, Collection<String> known) {
    if (typed.length() < 2) {
      return Optional.empty();
    }
    int most = typed.length() < 4 ? 1 : typed.length() < 9 ? 2 : 3;
    return known.stream()
        .filter(name -> isPrefix(typed, name) || distance(typed, name) <= most)
        .min(Comparator.<String>comparingInt(name -> distance(typed, name)).thenComparing(n -> n));
  }

  /** Text to append to the error about the mistyped name; "" when no name is near. */
  static String hint(String dashes, String typed, Collection<String> known) {
    return nearest(typed, known).map(name -> ", did you mean " + dashes + name + "?").orElse("");
  }

  private static boolean isPrefix(String typed, String name) {
    return typed.length() >= 3 && name.startsWith(typed);
  }

  /** The number of letters to add, remove, change or swap with their neighbour. */
  static int distance(String one, String other) {
    var costs = new int[one.length() + 1][other.length() + 1];
    for (int i = 0; i <= one.length(); i++) {
      for (int j = 0; j <= other.length(); j++) {
        costs[i][j] = i == 0 || j == 0 ? i + j : cost(one, other, i, j, costs);
      }
    }
    return costs[one.length()][other.length()];
  }

  private static int cost(String one, String other, int i, int j, int[][] costs) {
    boolean same = one.charAt(i - 1) == other.charAt(j - 1);
    int least =
        Math.min(
            Math.min(costs[i - 1][j], costs[i][j - 1]) + 1, costs[i - 1][j - 1] + (same ? 0 : 1));
    boolean swapped =
        i > 1
            && j > 1
            && one.charAt(i - 1) == other.charAt(j - 2)
            && one.charAt(i - 2) == other.charAt(j - 1);
    return swapped ? Math.min(least, costs[i - 2][j - 2] + 1) : least;
  }
}
