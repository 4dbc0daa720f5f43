package dev.muster.validation.admission;

import static dev.muster.validation.Default.in;
import static dev.muster.validation.Rules.field;

import dev.muster.model.validation.NameRule;
import dev.muster.model.validation.Names;
import dev.muster.types.Strategy;
import dev.muster.validation.FieldChecks;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.ResourceRules;
import dev.muster.validation.Rule;
import dev.muster.validation.Rules;
import java.util.HashSet;
import java.util.List;

/** The strategies of admission policy bindings. */
public final class PolicyBindingRules {
  private static final List<String> ACTIONS = List.of("Audit", "Deny", "Warn");
  private static final List<String> MISSING = List.of("Deny", "Allow");

  private static final Rule COMMON =
      Rule.all(
          Rules.required("policyName", "", FieldChecks.dnsSubdomain()),
          field("paramRef", PolicyBindingRules::parameters),
          field("matchResources", MatchRules::resourcesOf));

  public static final Strategy VALIDATING =
      strategy(Rule.all(COMMON, field("validationActions", PolicyBindingRules::actions)));
  public static final Strategy MUTATING =
      strategy(Rule.all(COMMON, field("matchResources", MatchRules::mutable)));

  private PolicyBindingRules() {}

  private static Strategy strategy(Rule spec) {
    var rules = Rule.all(Rules.plainMetadata(false, NameRule.DNS_SUBDOMAIN), field("spec", spec));
    return ResourceRules.cluster()
        .generation()
        .defaults(in("spec", in("matchResources", MatchRules.DEFAULTS)))
        .create(rules)
        .update(rules)
        .warnings(AdmissionRules::reservedName)
        .refusesUnconditionalUpdate()
        .build();
  }

  private static void parameters(FieldCursor reference) {
    if (reference.isAbsent()) {
      return;
    }
    var name = reference.at("name");
    var selector = reference.at("selector");
    if (!name.isEmpty()) {
      name.invalidEach(Names.pathSegment(name.text()));
      if (selector.isPresent()) {
        name.forbidden("name and selector are mutually exclusive");
      }
    }
    if (selector.isPresent()) {
      FieldChecks.selector().check(selector);
      if (!name.isEmpty()) {
        selector.forbidden("name and selector are mutually exclusive");
      }
    } else if (name.isEmpty()) {
      reference.required("one of name or selector must be specified");
    }
    var missing = reference.at("parameterNotFoundAction");
    if (missing.isEmpty()) {
      missing.required("");
    } else {
      MatchRules.choice(missing, MISSING);
    }
  }

  private static void actions(FieldCursor actions) {
    var seen = new HashSet<String>();
    for (var action : actions.items()) {
      MatchRules.choice(action, ACTIONS);
      if (!seen.add(action.text())) {
        action.duplicate();
      }
    }
    if (seen.contains("Deny") && seen.contains("Warn")) {
      actions.invalid(
          "must not contain both Deny and Warn (repeating the same validation failure information"
              + " in the API response and headers serves no purpose)");
    }
    if (seen.isEmpty()) {
      actions.required("at least one validation action is required");
    }
  }
}
