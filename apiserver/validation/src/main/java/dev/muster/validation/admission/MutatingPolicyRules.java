package dev.muster.validation.admission;

import static dev.muster.validation.Default.absent;
import static dev.muster.validation.Default.in;
import static dev.muster.validation.Default.make;
import static dev.muster.validation.Rules.field;

import dev.muster.cel.admission.PolicyExpressions;
import dev.muster.model.json.Json;
import dev.muster.model.validation.NameRule;
import dev.muster.types.Strategy;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.ResourceRules;
import dev.muster.validation.Rule;
import dev.muster.validation.Rules;
import java.util.List;

/** The strategy of MutatingAdmissionPolicies. */
public final class MutatingPolicyRules {
  private static final Rule POLICY =
      Rule.all(
          Rules.plainMetadata(false, NameRule.DNS_SUBDOMAIN),
          field("spec", MutatingPolicyRules::spec));

  public static final Strategy STRATEGY =
      ResourceRules.cluster()
          .generation()
          .defaults(
              make(
                  "spec",
                  absent("failurePolicy", "Fail"),
                  in("matchConstraints", MatchRules.DEFAULTS)))
          .create(POLICY)
          .update(POLICY)
          .warnings(AdmissionRules::reservedName)
          .refusesUnconditionalUpdate()
          .build();

  private MutatingPolicyRules() {}

  private static void spec(FieldCursor spec) {
    ValidatingPolicyRules.common(spec);
    MatchRules.mutable(spec.at("matchConstraints"));
    ValidatingPolicyRules.conditions(spec);
    boolean params = spec.has("paramKind");
    var expressions = new PolicyExpressions(true);
    PolicyVariables.check(spec.at("variables"), expressions, params);
    var mutations = spec.at("mutations");
    if (mutations.isEmpty()) {
      mutations.required("mutations must contain at least one item");
    }
    var scope = new PolicyExpressions.Scope(params, true, true);
    mutations.items().forEach(mutation -> mutation(mutation, expressions, scope));
    var again = spec.at("reinvocationPolicy");
    if (again.isEmpty()) {
      again.required("");
    } else {
      MatchRules.choice(again, MatchRules.REINVOCATION);
    }
  }

  private static void mutation(
      FieldCursor mutation, PolicyExpressions expressions, PolicyExpressions.Scope scope) {
    var type = mutation.at("patchType");
    switch (type.text()) {
      case "" -> type.required("");
      case "JSONPatch" -> {
        expression(mutation, "jsonPatch", "list(JSONPatch)", expressions, scope);
        unused(mutation, "applyConfiguration");
      }
      case "ApplyConfiguration" -> {
        expression(mutation, "applyConfiguration", "Object", expressions, scope);
        unused(mutation, "jsonPatch");
      }
      default -> type.notSupported(List.of("ApplyConfiguration", "JSONPatch"));
    }
  }

  private static void expression(
      FieldCursor mutation,
      String field,
      String type,
      PolicyExpressions expressions,
      PolicyExpressions.Scope scope) {
    var patch = mutation.at(field);
    if (patch.isAbsent()) {
      var patchType = mutation.at("patchType").text();
      patch.required("must be specified when patchType is " + patchType);
      return;
    }
    var expression = patch.at("expression");
    var trimmed = expression.text().strip();
    if (trimmed.isEmpty()) {
      expression.required("");
    } else {
      Expressions.check(expression.with(Json.of(trimmed)), expressions, scope, List.of(type));
    }
  }

  private static void unused(FieldCursor mutation, String field) {
    if (mutation.has(field)) {
      mutation
          .at(field)
          .invalid(
              Json.of("{" + field + "}"),
              "must not be specified when patchType is " + mutation.at("patchType").text());
    }
  }
}
