package dev.muster.validation.apis;

import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import dev.muster.validation.FieldCursor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Sums the estimated costs of the expressions in one schema. Not thread-safe. */
final class SchemaCosts {
  private static final long MOST_EACH = 10_000_000;
  private static final long MOST_TOGETHER = 100_000_000;
  private static final int MOST_NAMED = 4;

  private record Expensive(FieldPath path, long cost) {}

  private final boolean limitsEach;
  private long total;
  private List<Expensive> expensive = List.of();

  /**
   * @param limitsEach whether to limit single expressions, too; stored ones are not limited
   */
  SchemaCosts(boolean limitsEach) {
    this.limitsEach = limitsEach;
  }

  /**
   * Counts an expression, and refuses one that is too expensive.
   *
   * @param what names the cost in the message
   */
  void add(FieldCursor expression, String what, long cost) {
    if (limitsEach && cost > MOST_EACH) {
      expression.forbidden(exceeds(what, cost, MOST_EACH));
    }
    total = cost > Long.MAX_VALUE - total ? Long.MAX_VALUE : total + cost;
    if (cost >= MOST_TOGETHER / 100) {
      var known = new ArrayList<>(expensive);
      known.add(new Expensive(expression.path(), cost));
      known.sort(Comparator.comparingLong(Expensive::cost).reversed());
      expensive = known.subList(0, Math.min(known.size(), MOST_NAMED));
    }
  }

  /** Refuses the schema when its expressions are too expensive together. */
  void report(FieldCursor schema) {
    if (total <= MOST_TOGETHER) {
      return;
    }
    for (var one : expensive) {
      schema.report(
          FieldError.forbidden(
              one.path(),
              "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3"
                  + " schema"));
    }
    schema.forbidden(
        exceeds(
            "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema",
            total,
            MOST_TOGETHER));
  }

  private static String exceeds(String what, long cost, long most) {
    double factor = (double) cost / most;
    var shown =
        factor > 100
            ? "more than 100x"
            : String.format(Locale.ROOT, factor < 1.5 ? "%fx" : "%.1fx", factor);
    return what
        + " exceeds budget by factor of "
        + shown
        + " (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where"
        + " arrays, maps, and strings are declared)";
  }
}
