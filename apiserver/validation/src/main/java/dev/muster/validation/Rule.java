package dev.muster.validation;

/** Validates a field and reports errors. */
@FunctionalInterface
public interface Rule {
  void check(FieldCursor place);

  /** Applies all these rules in order. */
  static Rule all(Rule... rules) {
    return rules.length == 1
        ? rules[0]
        : place -> {
          for (var rule : rules) {
            rule.check(place);
          }
        };
  }
}
