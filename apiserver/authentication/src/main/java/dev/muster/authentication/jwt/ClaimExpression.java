package dev.muster.authentication.jwt;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.muster.authentication.RefusedCredentials;
import dev.muster.cel.Checked;
import dev.muster.cel.ExpressionChecker;
import dev.muster.cel.StructTypes;
import dev.muster.cel.run.Program;
import dev.muster.cel.run.Variables;
import dev.muster.cel.run.cost.CostBudget;
import dev.muster.cel.value.EvaluationException;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A compiled CEL expression over the claims of a token, or over the mapped user. Immutable.
 *
 * @param label the message of a rule, the key of an extra value, or ""
 */
record ClaimExpression(String text, String label, String variable, Program program) {
  static final String CLAIMS = "claims";
  static final String USER = "user";

  private static final CelType TEXTS = ListType.create(SimpleType.STRING);
  private static final String USER_TYPE = "kubernetes.UserInfo";

  private static final ExpressionChecker OVER_CLAIMS =
      ExpressionChecker.of(
          Map.of(CLAIMS, MapType.create(SimpleType.STRING, SimpleType.DYN)),
          new StructTypes(Map.of(), ""));

  private static final ExpressionChecker OVER_USER =
      ExpressionChecker.of(
          Map.of(USER, StructTypes.of(USER_TYPE)),
          new StructTypes(
              Map.of(
                  USER_TYPE,
                  Map.of(
                      "username",
                      SimpleType.STRING,
                      "uid",
                      SimpleType.STRING,
                      "groups",
                      TEXTS,
                      "extra",
                      MapType.create(SimpleType.STRING, TEXTS))),
              ""));

  /**
   * The result of compiling an expression.
   *
   * @param expression null when there are errors
   * @param email whether the expression reads the claim {@code email}
   * @param emailVerified whether the expression reads the claim {@code email_verified}
   */
  record Compiled(@Nullable ClaimExpression expression, boolean email, boolean emailVerified) {}

  /**
   * Compiles an expression.
   *
   * @param condition whether the result must be a boolean
   * @param errors receives the compile errors
   */
  static Compiled compile(
      String text,
      String label,
      String variable,
      boolean condition,
      FieldPath path,
      List<FieldError> errors) {
    var checker = variable.equals(CLAIMS) ? OVER_CLAIMS : OVER_USER;
    switch (checker.check(text)) {
      case Checked.Unsound unsound ->
          errors.add(FieldError.invalid(path, text, "compilation failed: " + unsound.problem()));
      case Checked.Sound sound -> {
        if (condition && !sound.celType().equals(SimpleType.BOOL)) {
          errors.add(FieldError.invalid(path, text, "must evaluate to bool"));
          break;
        }
        try {
          return new Compiled(
              new ClaimExpression(text, label, variable, Program.of(sound)),
              sound.selects(variable, "email"),
              sound.selects(variable, "email_verified"));
        } catch (EvaluationException e) {
          errors.add(FieldError.internal(path, "program instantiation failed: " + e.getMessage()));
        }
      }
    }
    return new Compiled(null, false, false);
  }

  /**
   * Evaluates the expression for one token, within a cost limit.
   *
   * @param what the purpose of the expression, for messages
   * @throws RefusedCredentials when the evaluation fails
   */
  Object evaluate(Object input, String what) {
    try {
      return program.evaluate(Variables.of(Map.of(variable, input)), CostBudget.standard());
    } catch (EvaluationException e) {
      throw new RefusedCredentials(
          "oidc: error evaluating "
              + what
              + ": expression '"
              + text
              + "' resulted in error: "
              + e.getMessage());
    }
  }
}
