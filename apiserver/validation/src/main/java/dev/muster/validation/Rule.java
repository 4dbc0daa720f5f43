package dev.muster.validation;

/** Looks at a place and reports what is wrong there. */
@FunctionalInterface
public interface Rule {
  void check(FieldCursor place);

  /** All these rules, one after the other. */
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
