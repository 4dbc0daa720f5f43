package dev.muster.access.admission.policy;

import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.muster.cel.Checked;
import dev.muster.cel.run.Program;
import dev.muster.cel.value.EvaluationException;
import dev.muster.registry.rules.admission.PolicyExpressions;
import dev.muster.registry.scheduling.Turn;
import org.jspecify.annotations.Nullable;

/**
 * An expression of a policy, compiled once for the policy's revision. Immutable.
 *
 * @param program null when it cannot be evaluated
 * @param problem why not
 */
record PolicyExpression(String text, @Nullable Program program, String problem, CelType type) {

  static PolicyExpression of(
      String text, PolicyExpressions expressions, PolicyExpressions.Scope scope) {
    Turn.checkpoint();
    return switch (expressions.check(text, scope)) {
      case Checked.Unsound unsound ->
          new PolicyExpression(
              text, null, "compilation failed: " + unsound.problem(), SimpleType.DYN);
      case Checked.Sound sound -> planned(text, sound);
    };
  }

  private static PolicyExpression planned(String text, Checked.Sound sound) {
    try {
      return new PolicyExpression(text, Program.of(sound), "", sound.celType());
    } catch (EvaluationException e) {
      return new PolicyExpression(
          text, null, "program instantiation failed: " + e.getMessage(), sound.celType());
    }
  }
}
