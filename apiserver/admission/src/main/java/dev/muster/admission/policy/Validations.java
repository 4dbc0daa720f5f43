package dev.muster.admission.policy;

import dev.muster.admission.matching.AdmissionExpression;
import dev.muster.admission.matching.ExpressionEvaluation;
import dev.muster.admission.matching.ExpressionInputs;
import dev.muster.admission.matching.MatchConditions;
import dev.muster.cel.value.CelNull;
import dev.muster.cel.value.CelValues;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.Reason;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Evaluates the validations of a policy for one request and one parameter. Not thread-safe. */
final class Validations {
  private static final int LONGEST_MESSAGE = 5 * 1024;

  private final AdmissionPolicy policy;
  private final ExpressionInputs inputs;
  private final @Nullable JsonObject parameter;
  private final long start = System.nanoTime();
  private final List<PolicyDecision> denials = new ArrayList<>();
  private final List<PolicyDecision> ignored = new ArrayList<>();
  private final Map<String, String> annotations = new LinkedHashMap<>();
  private final List<String> annotationProblems = new ArrayList<>();

  private Validations(
      AdmissionPolicy policy, ExpressionInputs inputs, @Nullable JsonObject parameter) {
    this.policy = policy;
    this.inputs = inputs;
    this.parameter = parameter;
  }

  /**
   * The result of the validations.
   *
   * @param denials the validations that are false
   * @param ignored the validations that failed, when the failure policy is {@code Ignore}
   * @param annotations for the audit log
   * @param annotationProblems audit annotations that failed, when the failure policy is {@code
   *     Fail}
   */
  record Result(
      List<PolicyDecision> denials,
      List<PolicyDecision> ignored,
      Map<String, String> annotations,
      List<String> annotationProblems) {}

  static Result of(
      AdmissionPolicy policy,
      ExpressionInputs inputs,
      @Nullable JsonObject parameter,
      MatchConditions.Listener listener) {
    var validations = new Validations(policy, inputs, parameter);
    try {
      var conditions = policy.expressions().conditions();
      switch (conditions.evaluate(inputs.forConditions(parameter), listener)) {
        case MatchConditions.Result.Hold _ -> {
          validations.validate();
          validations.annotate();
        }
        case MatchConditions.Result.Excluded _ -> {}
        case MatchConditions.Result.Failed failed -> validations.onlyFailed(failed.problem());
      }
    } catch (ExpressionEvaluation.ExhaustedException e) {
      validations.onlyFailed(ExpressionEvaluation.ExhaustedException.TEXT);
    }
    return new Result(
        validations.denials,
        validations.ignored,
        validations.annotations,
        validations.annotationProblems);
  }

  /** Replaces all results: the policy as a whole could not be evaluated. */
  private void onlyFailed(String problem) {
    denials.clear();
    ignored.clear();
    annotations.clear();
    annotationProblems.clear();
    failed(0, problem, System.nanoTime() - start);
  }

  private void failed(int index, String problem, long nanos) {
    (policy.ignoresFailures() ? ignored : denials)
        .add(PolicyDecision.failed(index, problem, nanos));
  }

  private ExpressionEvaluation evaluation(boolean authorizes, long budget) {
    return new ExpressionEvaluation(
        inputs.forExpressions(parameter, authorizes), policy.expressions().variables(), budget);
  }

  private void validate() {
    var items = policy.spec().array("validations").objects();
    var evaluation = evaluation(true, ExpressionEvaluation.BUDGET);
    var results = new ArrayList<ExpressionEvaluation.Result>();
    var nanos = new long[items.size()];
    for (int i = 0; i < items.size(); i++) {
      var expression = policy.expressions().of(AdmissionPolicy.Use.VALIDATION, i);
      long began = System.nanoTime();
      results.add(
          expression == null
              ? new ExpressionEvaluation.Result.Value(true)
              : evaluation.evaluate(expression));
      nanos[i] = System.nanoTime() - began;
    }
    var messages = evaluation(false, evaluation.left());
    for (int i = 0; i < results.size(); i++) {
      switch (results.get(i)) {
        case ExpressionEvaluation.Result.Failed failed -> failed(i, failed.problem(), nanos[i]);
        case ExpressionEvaluation.Result.Value value -> {
          if (!Boolean.TRUE.equals(value.value())) {
            deny(i, items.get(i), messages, nanos[i]);
          }
        }
      }
    }
  }

  private void deny(int index, JsonObject validation, ExpressionEvaluation messages, long nanos) {
    try {
      var made = message(index, messages);
      var given = validation.string("message").strip();
      var message =
          !made.isEmpty()
              ? made
              : !given.isEmpty()
                  ? given
                  : "failed expression: " + validation.string("expression").strip();
      denials.add(new PolicyDecision(index, message, reason(validation.string("reason")), nanos));
    } catch (ExpressionEvaluation.ExhaustedException e) {
      failed(
          index,
          "failed messageExpression: " + ExpressionEvaluation.ExhaustedException.TEXT,
          nanos);
    }
  }

  /** The value of a message expression, or "" when it yields no usable message. */
  private String message(int index, ExpressionEvaluation messages) {
    var expression = policy.expressions().of(AdmissionPolicy.Use.MESSAGE, index);
    if (expression == null) {
      return "";
    }
    var made =
        messages.evaluate(expression) instanceof ExpressionEvaluation.Result.Value value
                && value.value() instanceof String text
            ? text.strip()
            : "";
    return GoText.bytes(made) > LONGEST_MESSAGE || made.indexOf('\n') >= 0 ? "" : made;
  }

  private static Reason reason(String text) {
    return switch (text) {
      case "Unauthorized" -> Reason.UNAUTHORIZED;
      case "Forbidden" -> Reason.FORBIDDEN;
      case "RequestEntityTooLarge" -> Reason.REQUEST_ENTITY_TOO_LARGE;
      default -> Reason.INVALID;
    };
  }

  private void annotate() {
    var items = policy.spec().array("auditAnnotations").objects();
    var evaluation = evaluation(true, ExpressionEvaluation.BUDGET);
    for (int i = 0; i < items.size(); i++) {
      var expression = policy.expressions().of(AdmissionPolicy.Use.AUDIT, i);
      if (expression != null) {
        annotate(items.get(i).string("key"), expression, evaluation);
      }
    }
  }

  private void annotate(
      String key, AdmissionExpression expression, ExpressionEvaluation evaluation) {
    switch (evaluation.evaluate(expression)) {
      case ExpressionEvaluation.Result.Failed failed -> {
        if (!policy.ignoresFailures()) {
          annotationProblems.add(failed.problem());
        }
      }
      case ExpressionEvaluation.Result.Value value -> {
        if (value.value() instanceof String text) {
          if (!text.isBlank()) {
            annotations.put(key, text.strip());
          }
        } else if (value.value() != CelNull.NULL) {
          annotationProblems.add(
              "valueExpression '"
                  + expression.text()
                  + "' resulted in unsupported return type: "
                  + CelValues.typeName(value.value())
                  + ". Return type must be either string or null.");
        }
      }
    }
  }
}
