package dev.muster.validation.admission;

import static dev.muster.validation.Default.absent;
import static dev.muster.validation.Default.in;
import static dev.muster.validation.Default.make;
import static dev.muster.validation.Rules.field;

import dev.muster.cel.admission.PolicyExpressions;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.validation.NameRule;
import dev.muster.model.validation.Names;
import dev.muster.types.Strategy;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.ResourceRules;
import dev.muster.validation.Rule;
import dev.muster.validation.Rules;
import dev.muster.validation.StatusMetadata;
import java.util.HashSet;
import java.util.List;

/** The strategy of ValidatingAdmissionPolicies. */
public final class ValidatingPolicyRules {
  private static final int MOST_ANNOTATIONS = 20;
  private static final int MOST_ANNOTATION_BYTES = 5 * 1024;
  private static final List<String> REASONS =
      List.of("Forbidden", "Invalid", "RequestEntityTooLarge");
  private static final String EMPTY =
      "validations or auditAnnotations must contain at least one item";

  private static final Rule POLICY =
      Rule.all(
          Rules.plainMetadata(false, NameRule.DNS_SUBDOMAIN),
          field("spec", ValidatingPolicyRules::spec));

  public static final Strategy STRATEGY =
      ResourceRules.cluster()
          .status()
          .generation()
          .defaults(
              make(
                  "spec",
                  absent("failurePolicy", "Fail"),
                  in("matchConstraints", MatchRules.DEFAULTS)))
          .create(POLICY)
          .update(POLICY)
          .prepareStatusUpdate(StatusMetadata::kept)
          .statusUpdate(field("status", PolicyStatus::check))
          .warnings(AdmissionRules::reservedName)
          .refusesUnconditionalUpdate()
          .build();

  private ValidatingPolicyRules() {}

  /** The fields that all policies have. */
  static void common(FieldCursor spec) {
    MatchRules.requiredChoice(spec.at("failurePolicy"), MatchRules.FAILURE_POLICIES);
    if (spec.has("paramKind")) {
      PolicyVariables.paramKind(spec.at("paramKind"));
    }
    var match = spec.at("matchConstraints");
    if (match.isAbsent()) {
      match.required("");
      return;
    }
    MatchRules.resourcesOf(match);
    if (match.at("resourceRules").isEmpty()) {
      match.at("resourceRules").required("");
    }
  }

  /** Validates match conditions only when they or the parameters have changed. */
  static void conditions(FieldCursor spec) {
    var conditions = spec.at("matchConditions");
    if (!spec.isUpdate() || conditions.isChanged() || spec.at("paramKind").isChanged()) {
      Expressions.matchConditions(conditions, spec.has("paramKind"));
    }
  }

  private static void spec(FieldCursor spec) {
    common(spec);
    conditions(spec);
    boolean params = spec.has("paramKind");
    var variables = spec.at("variables");
    var expressions = new PolicyExpressions(!variables.isEmpty());
    PolicyVariables.check(variables, expressions, params);
    var validations = spec.at("validations");
    var annotations = spec.at("auditAnnotations");
    if (validations.isEmpty() && annotations.isEmpty()) {
      validations.required(EMPTY);
      annotations.required(EMPTY);
      return;
    }
    validations.items().forEach(validation -> validation(validation, expressions, params));
    if (annotations.array().size() > MOST_ANNOTATIONS) {
      annotations.invalid("must not have more than " + MOST_ANNOTATIONS + " auditAnnotations");
    }
    var keys = new HashSet<String>();
    for (var annotation : annotations.items()) {
      annotation(annotation, expressions, params);
      if (!keys.add(annotation.at("key").text())) {
        annotation.at("key").duplicate();
      }
    }
  }

  private static void validation(
      FieldCursor validation, PolicyExpressions expressions, boolean params) {
    var expression = validation.at("expression");
    if (expression.text().isBlank()) {
      expression.required("expression is not specified");
    } else {
      var scope = new PolicyExpressions.Scope(params, true, false);
      Expressions.check(expression, expressions, scope, List.of("bool"));
    }
    var computed = validation.at("messageExpression");
    if (!computed.text().isBlank()) {
      var scope = new PolicyExpressions.Scope(params, false, false);
      Expressions.check(computed, expressions, scope, List.of("string"));
    } else if (!computed.isEmpty()) {
      computed.invalid("must be non-empty if specified");
    }
    var message = validation.at("message");
    var said = message.text().strip();
    if (!message.isEmpty() && said.isEmpty()) {
      message.invalid("must be non-empty if specified");
    } else if (said.indexOf('\n') >= 0 || said.indexOf('\r') >= 0) {
      message.invalid("must not contain line breaks");
    }
    MatchRules.choice(validation.at("reason"), REASONS);
  }

  private static void annotation(
      FieldCursor annotation, PolicyExpressions expressions, boolean params) {
    var key = annotation.at("key");
    var name = annotation.root().at("metadata", "name").text();
    if (name.isEmpty()) {
      key.invalid("requires metadata.name be non-empty");
    } else {
      var whole = name + "/" + key.text();
      Names.qualifiedName(whole).forEach(problem -> key.invalid(Json.of(whole), problem));
    }
    var value = annotation.at("valueExpression");
    var trimmed = value.text().strip();
    if (trimmed.isEmpty()) {
      value.required("valueExpression is not specified");
    } else if (GoText.bytes(trimmed) > MOST_ANNOTATION_BYTES) {
      value.required("must not exceed " + MOST_ANNOTATION_BYTES + " bytes in length");
    } else {
      var scope = new PolicyExpressions.Scope(params, true, false);
      var types = List.of("string", "null_type");
      Expressions.check(value, trimmed, expressions, scope, types);
    }
  }
}
