package dev.muster.validation.admission;

import dev.cel.common.types.SimpleType;
import dev.muster.cel.Checked;
import dev.muster.cel.Identifiers;
import dev.muster.cel.admission.PolicyExpressions;
import dev.muster.model.json.Json;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.Names;
import dev.muster.validation.FieldCursor;
import java.util.Locale;

/** Validates the parameters and variables of validating and mutating policies. */
final class PolicyVariables {
  private PolicyVariables() {}

  static void check(FieldCursor variables, PolicyExpressions expressions, boolean params) {
    var scope = new PolicyExpressions.Scope(params, true, false);
    for (var variable : variables.items()) {
      var name = variable.at("name");
      if (name.text().isBlank()) {
        name.required("name is not specified");
      } else if (!Identifiers.isWellFormed(name.text()) || Identifiers.isReserved(name.text())) {
        name.invalid("must be a valid CEL identifier");
      }
      var expression = variable.at("expression");
      if (expression.text().isBlank()) {
        expression.required("expression is not specified");
        continue;
      }
      switch (expressions.check(expression.text(), scope)) {
        case Checked.Unsound unsound -> {
          expression.invalid("compilation failed: " + unsound.problem());
          expressions.declare(name.text(), SimpleType.DYN);
        }
        case Checked.Sound sound -> {
          var unplanned = sound.unplanned(expression.text());
          if (!unplanned.isEmpty()) {
            expression.report(
                FieldError.internal(
                    expression.path(), "program instantiation failed: " + unplanned));
          }
          expressions.declare(name.text(), sound.celType());
        }
      }
    }
  }

  /** The kind of a policy's parameter objects. */
  static void paramKind(FieldCursor kind) {
    var version = kind.at("apiVersion");
    var text = version.text();
    int slash = text.indexOf('/');
    if (text.isEmpty()) {
      version.required("");
    } else if (slash != text.lastIndexOf('/')) {
      version.invalid("unexpected GroupVersion string: " + text);
    } else {
      groupVersion(version, text.equals("/") ? "" : text, slash);
    }
    var name = kind.at("kind");
    if (name.isEmpty()) {
      name.required("");
    } else {
      var problems = Names.dns1035Label(name.text().toLowerCase(Locale.ROOT));
      if (!problems.isEmpty()) {
        name.invalid(
            "may have mixed case, but should otherwise match: " + String.join(",", problems));
      }
    }
  }

  private static void groupVersion(FieldCursor place, String text, int slash) {
    var group = slash < 0 || text.isEmpty() ? "" : text.substring(0, slash);
    var version = text.isEmpty() ? "" : text.substring(slash + 1);
    if (!group.isEmpty()) {
      var problems = Names.dnsSubdomain(group);
      if (!problems.isEmpty()) {
        place.invalid(Json.of(group), String.join(",", problems));
      }
    }
    if (version.isEmpty()) {
      place.invalid("version must be specified");
      return;
    }
    var problems = Names.dns1035Label(version);
    if (!problems.isEmpty()) {
      place.invalid(Json.of(version), String.join(",", problems));
    }
  }
}
