package dev.muster.controllers.policies;

import dev.cel.common.types.SimpleType;
import dev.muster.cel.Checked;
import dev.muster.cel.admission.PolicyExpressions;
import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Type-checks the validations and message expressions of a policy, with their variables, against
 * the matched kinds, as kube-controller-manager does. Errors in the variables themselves are not
 * reported.
 */
final class TypeCheck {
  private static final PolicyExpressions.Scope WITH_PARAMS =
      new PolicyExpressions.Scope(true, true, false);
  private static final PolicyExpressions.Scope WITHOUT_PARAMS =
      new PolicyExpressions.Scope(false, true, false);

  private final PublishedSchemas schemas;

  TypeCheck(PublishedSchemas schemas) {
    this.schemas = schemas;
  }

  List<ExpressionWarning> check(JsonObject spec) {
    var kinds = schemas.declared(MatchedKinds.of(spec, schemas));
    var params = params(spec);
    var known = new LinkedHashMap<Kind, PolicyExpressions>();
    kinds.forEach((kind, types) -> known.put(kind, expressions(spec, types, params)));
    var scope = spec.has("paramKind") ? WITH_PARAMS : WITHOUT_PARAMS;
    var found = new ArrayList<ExpressionWarning>();
    int index = 0;
    for (var validation : spec.array("validations").objects()) {
      for (var field : List.of("expression", "messageExpression")) {
        var expression = validation.string(field);
        if (!expression.isEmpty()) {
          var warning =
              known.entrySet().stream()
                  .flatMap(one -> problem(one.getKey(), one.getValue(), expression, scope).stream())
                  .collect(Collectors.joining("\n"));
          if (!warning.isEmpty()) {
            found.add(new ExpressionWarning("spec.validations[" + index + "]." + field, warning));
          }
        }
      }
      index++;
    }
    return found;
  }

  private Optional<DeclaredType> params(JsonObject spec) {
    if (!spec.has("paramKind")) {
      return Optional.empty();
    }
    var kind = spec.object("paramKind");
    var params = Kind.of(kind.string("apiVersion"), kind.string("kind"));
    return schemas.declared(List.of(params)).values().stream().findFirst();
  }

  private static Optional<String> problem(
      Kind kind, PolicyExpressions expressions, String expression, PolicyExpressions.Scope scope) {
    return expressions.check(expression, scope) instanceof Checked.Unsound unsound
        ? Optional.of(kind + ": " + unsound.problem() + "\n")
        : Optional.empty();
  }

  /** Compiles the variables of the policy; each may use the valid ones before it. */
  private static PolicyExpressions expressions(
      JsonObject spec, DeclaredType object, Optional<DeclaredType> params) {
    var structs = new HashMap<>(object.structs());
    structs.putAll(params.map(DeclaredType::structs).orElse(Map.of()));
    var expressions =
        new PolicyExpressions(
            new PolicyExpressions.ObjectTypes(
                object.type(), params.map(DeclaredType::type).orElse(SimpleType.DYN), structs));
    var scope = spec.has("paramKind") ? WITH_PARAMS : WITHOUT_PARAMS;
    for (var variable : spec.array("variables").objects()) {
      var type =
          expressions.check(variable.string("expression"), scope) instanceof Checked.Sound sound
              ? sound.celType()
              : SimpleType.DYN;
      expressions.declare(variable.string("name"), type);
    }
    return expressions;
  }
}
