package dev.muster.access.admission.policy;

import dev.muster.cel.value.CelNull;
import dev.muster.cel.value.Values;
import dev.muster.model.go.GoText;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.Reason;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Holds one request, with one parameter, against the validations of a policy. For one thread. */
final class Validations {
  private static final int LONGEST_MESSAGE = 5 * 1024;

  private final Policy policy;
  private final PolicyInputs inputs;
  private final @Nullable JsonObject parameter;
  private final List<PolicyDecision> denials = new ArrayList<>();
  private final Map<String, String> annotations = new LinkedHashMap<>();
  private final List<String> annotationProblems = new ArrayList<>();

  private Validations(Policy policy, PolicyInputs inputs, @Nullable JsonObject parameter) {
    this.policy = policy;
    this.inputs = inputs;
    this.parameter = parameter;
  }

  /**
   * What came of them.
   *
   * @param denials the validations that do not hold
   * @param annotations for the audit log
   * @param annotationProblems annotations that have no value, when that refuses the request
   */
  record Result(
      List<PolicyDecision> denials,
      Map<String, String> annotations,
      List<String> annotationProblems) {}

  static Result of(Policy policy, PolicyInputs inputs, @Nullable JsonObject parameter) {
    var validations = new Validations(policy, inputs, parameter);
    try {
      if (MatchConditions.hold(policy, inputs.forConditions(parameter))) {
        validations.validate();
        validations.annotate();
      }
    } catch (ConfigurationException e) {
      validations.onlyFailed(e.text());
    } catch (PolicyEvaluation.ExhaustedException e) {
      validations.onlyFailed(PolicyEvaluation.ExhaustedException.TEXT);
    }
    return new Result(validations.denials, validations.annotations, validations.annotationProblems);
  }

  /** The policy as a whole could not be evaluated. */
  private void onlyFailed(String problem) {
    denials.clear();
    annotations.clear();
    annotationProblems.clear();
    failed(0, problem);
  }

  private void failed(int index, String problem) {
    if (!policy.ignoresFailures()) {
      denials.add(PolicyDecision.failed(index, problem));
    }
  }

  private PolicyEvaluation evaluation(boolean authorizes, long budget) {
    return new PolicyEvaluation(
        inputs.forExpressions(parameter, authorizes), policy.expressions().variables(), budget);
  }

  private void validate() {
    var items = policy.spec().array("validations").objects();
    var evaluation = evaluation(true, PolicyEvaluation.BUDGET);
    var results = new ArrayList<PolicyEvaluation.Result>();
    for (int i = 0; i < items.size(); i++) {
      var expression = policy.expressions().of(Policy.Use.VALIDATION, i);
      results.add(
          expression == null
              ? new PolicyEvaluation.Result.Value(true)
              : evaluation.evaluate(expression));
    }
    var messages = evaluation(false, evaluation.left());
    for (int i = 0; i < results.size(); i++) {
      switch (results.get(i)) {
        case PolicyEvaluation.Result.Failed failed -> failed(i, failed.problem());
        case PolicyEvaluation.Result.Value value -> {
          if (!Boolean.TRUE.equals(value.value())) {
            deny(i, items.get(i), messages);
          }
        }
      }
    }
  }

  private void deny(int index, JsonObject validation, PolicyEvaluation messages) {
    try {
      var made = message(index, messages);
      var given = validation.string("message").strip();
      var message =
          !made.isEmpty()
              ? made
              : !given.isEmpty()
                  ? given
                  : "failed expression: " + validation.string("expression").strip();
      denials.add(new PolicyDecision(index, message, reason(validation.string("reason"))));
    } catch (PolicyEvaluation.ExhaustedException e) {
      failed(index, "failed messageExpression: " + PolicyEvaluation.ExhaustedException.TEXT);
    }
  }

  /** The message that an expression makes, or "" when it makes none that can be shown. */
  private String message(int index, PolicyEvaluation messages) {
    var expression = policy.expressions().of(Policy.Use.MESSAGE, index);
    if (expression == null) {
      return "";
    }
    var made =
        messages.evaluate(expression) instanceof PolicyEvaluation.Result.Value value
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
    var evaluation = evaluation(true, PolicyEvaluation.BUDGET);
    for (int i = 0; i < items.size(); i++) {
      var expression = policy.expressions().of(Policy.Use.AUDIT, i);
      if (expression != null) {
        annotate(items.get(i).string("key"), expression, evaluation);
      }
    }
  }

  private void annotate(String key, PolicyExpression expression, PolicyEvaluation evaluation) {
    switch (evaluation.evaluate(expression)) {
      case PolicyEvaluation.Result.Failed failed -> {
        if (!policy.ignoresFailures()) {
          annotationProblems.add(failed.problem());
        }
      }
      case PolicyEvaluation.Result.Value value -> {
        if (value.value() instanceof String text) {
          if (!text.isBlank()) {
            annotations.put(key, text.strip());
          }
        } else if (value.value() != CelNull.NULL) {
          annotationProblems.add(
              "valueExpression '"
                  + expression.text()
                  + "' resulted in unsupported return type: "
                  + Values.typeName(value.value())
                  + ". Return type must be either string or null.");
        }
      }
    }
  }
}
