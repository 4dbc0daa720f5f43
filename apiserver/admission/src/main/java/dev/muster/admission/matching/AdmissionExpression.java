package dev.muster.admission.matching;

import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.muster.cel.Checked;
import dev.muster.cel.admission.PolicyExpressions;
import dev.muster.cel.run.Program;
import dev.muster.cel.value.EvaluationException;
import dev.muster.types.scheduling.CpuTask;
import org.jspecify.annotations.Nullable;

/**
 * An expression of a policy or webhook, compiled once per revision of its owner. Immutable.
 *
 * @param program null when the expression cannot be evaluated
 * @param problem why not
 */
public record AdmissionExpression(
    String text, @Nullable Program program, String problem, CelType type) {

  public static AdmissionExpression of(
      String text, PolicyExpressions expressions, PolicyExpressions.Scope scope) {
    CpuTask.checkpoint();
    return switch (expressions.check(text, scope)) {
      case Checked.Unsound unsound ->
          new AdmissionExpression(
              text, null, "compilation failed: " + unsound.problem(), SimpleType.DYN);
      case Checked.Sound sound -> planned(text, sound);
    };
  }

  private static AdmissionExpression planned(String text, Checked.Sound sound) {
    try {
      return new AdmissionExpression(text, Program.of(sound), "", sound.celType());
    } catch (EvaluationException e) {
      return new AdmissionExpression(
          text, null, "program instantiation failed: " + e.getMessage(), sound.celType());
    }
  }
}
