package dev.muster.validation;

import static dev.muster.validation.Rules.each;

import dev.muster.model.json.Json;
import dev.muster.model.validation.Names;
import java.util.Map;

/** Validates node selectors in the affinities of pods and volumes. */
public final class NodeSelectors {
  private static final Map<String, String> DEPRECATED =
      Map.of(
          "beta.kubernetes.io/arch",
          "deprecated since v1.14; use \"kubernetes.io/arch\" instead",
          "beta.kubernetes.io/os",
          "deprecated since v1.14; use \"kubernetes.io/os\" instead",
          "failure-domain.beta.kubernetes.io/region",
          "deprecated since v1.17; use \"topology.kubernetes.io/region\" instead",
          "failure-domain.beta.kubernetes.io/zone",
          "deprecated since v1.17; use \"topology.kubernetes.io/zone\" instead",
          "beta.kubernetes.io/instance-type",
          "deprecated since v1.17; use \"node.kubernetes.io/instance-type\" instead",
          "app.kubernetes.io/created-by",
          "deprecated since v1.9",
          "scheduler.alpha.kubernetes.io/preferAvoidPods",
          "deprecated since v1.22; use Taints and Tolerations instead",
          "node-role.kubernetes.io/master",
          "use \"node-role.kubernetes.io/control-plane\" instead");

  private NodeSelectors() {}

  /** The deprecation warning for a node label; "" when it is not deprecated. */
  public static String deprecation(String label) {
    return DEPRECATED.getOrDefault(label, "");
  }

  /** A selector with terms, at least one of which must match. */
  public static void selector(FieldCursor selector) {
    var terms = selector.at("nodeSelectorTerms");
    if (terms.isEmpty()) {
      terms.required("must have at least one node selector term");
    } else {
      boolean checkValues = !hasInvalidValue(selector.before());
      terms.items().forEach(term -> term(term, checkValues));
    }
  }

  /**
   * A term, all requirements of which must match.
   *
   * @param checkValues whether values must be valid label values
   */
  public static void term(FieldCursor term, boolean checkValues) {
    each("matchExpressions", place -> expression(place, checkValues)).check(term);
    each("matchFields", NodeSelectors::fieldRequirement).check(term);
  }

  private static void expression(FieldCursor requirement, boolean checkValues) {
    var values = requirement.at("values");
    switch (requirement.at("operator").text()) {
      case "In", "NotIn" -> {
        if (values.isEmpty()) {
          values.required("must be specified when `operator` is 'In' or 'NotIn'");
        }
      }
      case "Exists", "DoesNotExist" -> {
        if (!values.isEmpty()) {
          values.forbidden("may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
        }
      }
      case "Gt", "Lt" -> {
        if (values.array().size() != 1) {
          values.required("must be specified single value when `operator` is 'Lt' or 'Gt'");
        }
      }
      default -> requirement.at("operator").invalidTyped("not a valid selector operator");
    }
    var key = requirement.at("key");
    for (var problem : Names.qualifiedName(key.text())) {
      key.invalid(Json.of(key.text()), problem);
    }
    if (checkValues) {
      values.items().forEach(value -> value.invalidEach(Names.labelValue(value.text())));
    }
  }

  private static void fieldRequirement(FieldCursor requirement) {
    var values = requirement.at("values");
    switch (requirement.at("operator").text()) {
      case "In", "NotIn" -> {
        if (values.array().size() != 1) {
          values.required(
              "must be only one value when `operator` is 'In' or 'NotIn' for node field selector");
        }
      }
      default -> requirement.at("operator").invalidTyped("not a valid selector operator");
    }
    if (!requirement.at("key").isText("metadata.name")) {
      requirement.at("key").invalid("not a valid field selector key");
    } else {
      values.items().forEach(value -> value.invalidEach(Names.dnsSubdomain(value.text())));
    }
  }

  /** Whether the selector contains a value that is no valid label value. */
  public static boolean hasInvalidValue(FieldCursor selector) {
    for (var term : selector.at("nodeSelectorTerms").items()) {
      for (var expression : term.at("matchExpressions").items()) {
        for (var value : expression.at("values").items()) {
          if (!Names.labelValue(value.text()).isEmpty()) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /** Warns about deprecated node labels. */
  public static void warnings(FieldCursor term) {
    for (var expression : term.at("matchExpressions").items()) {
      var key = expression.at("key");
      var deprecation = deprecation(key.text());
      if (!deprecation.isEmpty()) {
        key.warn(key.path() + ": " + key.text() + " is " + deprecation);
      }
    }
  }
}
