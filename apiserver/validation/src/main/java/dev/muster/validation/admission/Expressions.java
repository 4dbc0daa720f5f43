package dev.muster.validation.admission;

import dev.muster.cel.Checked;
import dev.muster.cel.admission.PolicyExpressions;
import dev.muster.model.json.Json;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.Names;
import dev.muster.validation.FieldChecks;
import dev.muster.validation.FieldCursor;
import java.util.HashSet;
import java.util.List;

/** Validates the CEL expressions of webhooks and policies. */
final class Expressions {
  private static final int MOST_CONDITIONS = 64;

  private Expressions() {}

  /** The match conditions of a webhook or policy. */
  static void matchConditions(FieldCursor conditions, boolean params) {
    if (conditions.isEmpty()) {
      return;
    }
    FieldChecks.maxItems(MOST_CONDITIONS).check(conditions);
    var expressions = new PolicyExpressions(false);
    var scope = new PolicyExpressions.Scope(params, true, false);
    var names = new HashSet<String>();
    for (var condition : conditions.items()) {
      var expression = condition.at("expression");
      var trimmed = expression.text().strip();
      if (trimmed.isEmpty()) {
        expression.required("");
      } else {
        check(expression.with(Json.of(trimmed)), expressions, scope, List.of("bool"));
      }
      var name = condition.at("name");
      if (name.isEmpty()) {
        name.required("");
      } else {
        name.invalidEach(Names.qualifiedName(name.text()));
        if (!names.add(name.text())) {
          name.duplicate();
        }
      }
    }
  }

  /**
   * Reports an expression that does not compile, or has none of these result types.
   *
   * @param types as the message prints them
   */
  static void check(
      FieldCursor expression,
      PolicyExpressions expressions,
      PolicyExpressions.Scope scope,
      List<String> types) {
    check(expression, expression.text(), expressions, scope, types);
  }

  /** Validates an expression after trimming whitespace around it. */
  static void check(
      FieldCursor expression,
      String text,
      PolicyExpressions expressions,
      PolicyExpressions.Scope scope,
      List<String> types) {
    switch (expressions.check(text, scope)) {
      case Checked.Unsound unsound ->
          expression.invalid("compilation failed: " + unsound.problem());
      case Checked.Sound sound -> {
        if (!types.contains(sound.type())) {
          expression.invalid(
              types.size() == 1
                  ? "must evaluate to " + types.getFirst() + " but got " + sound.type()
                  : "must evaluate to one of ["
                      + String.join(" ", types)
                      + "] but got "
                      + sound.type());
        } else {
          var unplanned = sound.unplanned(text);
          if (!unplanned.isEmpty()) {
            expression.report(
                FieldError.internal(
                    expression.path(), "program instantiation failed: " + unplanned));
          }
        }
      }
    }
  }
}
