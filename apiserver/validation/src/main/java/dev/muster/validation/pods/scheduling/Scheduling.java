package dev.muster.validation.pods.scheduling;

import static dev.muster.validation.FieldChecks.labels;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonString;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.LabelRules;
import dev.muster.model.validation.Names;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.NodeSelectors;
import dev.muster.validation.Rule;
import dev.muster.validation.Rules;
import dev.muster.validation.ValueChecks;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;

/**
 * Validates the scheduling constraints of a pod: node affinity, pod affinity and topology spread.
 */
public final class Scheduling {
  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";
  private static final Rule SPREAD_KEYS = Rules.unlessBroken(Scheduling::labelKeys);
  private static final Rule SPREAD_SELECTOR = Rules.unlessBroken(Scheduling::strictSelector);

  private Scheduling() {}

  public static void nodeSelector(FieldCursor selector) {
    labels().check(selector);
  }

  public static void affinity(FieldCursor affinity) {
    var nodes = affinity.at("nodeAffinity");
    if (nodes.has(REQUIRED)) {
      NodeSelectors.selector(nodes.at(REQUIRED));
    }
    for (var term : nodes.at(PREFERRED).items()) {
      weight(term.at("weight"));
      NodeSelectors.term(term.at("preference"), false);
    }
    for (var kind : List.of("podAffinity", "podAntiAffinity")) {
      var pods = affinity.at(kind);
      pods.at(REQUIRED).items().forEach(Scheduling::podTerm);
      for (var term : pods.at(PREFERRED).items()) {
        weight(term.at("weight"));
        podTerm(term.at("podAffinityTerm"));
      }
    }
  }

  private static void weight(FieldCursor weight) {
    if (weight.integer() <= 0 || weight.integer() > 100) {
      ValueChecks.invalidNumber(weight, "must be in the range 1-100");
    }
  }

  private static void podTerm(FieldCursor term) {
    selector(term.at("labelSelector"));
    selector(term.at("namespaceSelector"));
    for (var name : term.at("namespaces").array().strings()) {
      for (var problem : Names.dnsLabel(name)) {
        term.at("namespace").invalid(Json.of(name), problem);
      }
    }
    labelKeys(term);
    var key = term.at("topologyKey");
    if (key.isEmpty()) {
      key.required("can not be empty");
    }
    for (var problem : Names.qualifiedName(key.text())) {
      key.invalid(problem);
    }
  }

  public static void selector(FieldCursor selector) {
    boolean checkValues = !LabelRules.hasInvalidValue(selector.before().object());
    Rules.report(
        selector,
        errors -> LabelRules.selector(selector.object(), selector.path(), checkValues, errors));
  }

  private static void labelKeys(FieldCursor term) {
    var selector = term.at("labelSelector");
    var match = term.at("matchLabelKeys");
    var mismatch = term.at("mismatchLabelKeys");
    for (var keys : List.of(match, mismatch)) {
      if (!keys.isEmpty() && selector.isAbsent()) {
        keys.forbidden("must not be specified when labelSelector is not set");
      } else {
        keys.items().forEach(key -> key.invalidEach(Names.qualifiedName(key.text())));
      }
    }
    if (selector.isPresent()) {
      both(term, match.array(), selector);
    }
    var others = new HashSet<>(mismatch.array().strings());
    for (var key : match.items()) {
      if (others.contains(key.text())) {
        key.invalid("exists in both matchLabelKeys and mismatchLabelKeys");
      }
    }
  }

  private static void both(FieldCursor term, JsonArray keys, FieldCursor selector) {
    var seen = new HashSet<>(selector.at("matchLabels").object().keys());
    var places = new HashMap<String, Integer>();
    for (int i = 0; i < keys.size(); i++) {
      if (keys.get(i) instanceof JsonString text) {
        places.put(text.value(), i);
      }
    }
    for (var expression : selector.at("matchExpressions").array().objects()) {
      var key = expression.string("key");
      var index = places.get(key);
      if (index != null && seen.contains(key)) {
        term.report(
            FieldError.invalid(
                term.path().index(index), key, "exists in both matchLabelKeys and labelSelector"));
      }
      seen.add(key);
    }
  }

  private static void strictSelector(FieldCursor selector) {
    Rules.report(
        selector, errors -> LabelRules.selector(selector.object(), selector.path(), errors));
  }

  public static void spread(FieldCursor constraints) {
    var all = constraints.items();
    var last = new HashMap<String, Integer>();
    for (int i = 0; i < all.size(); i++) {
      last.put(pair(all.get(i)), i);
    }
    for (int i = 0; i < all.size(); i++) {
      var constraint = all.get(i);
      ValueChecks.positive(constraint.at("maxSkew"));
      var key = constraint.at("topologyKey");
      if (key.isEmpty()) {
        key.required("can not be empty");
      }
      var action = constraint.at("whenUnsatisfiable");
      if (!List.of("DoNotSchedule", "ScheduleAnyway").contains(action.text())) {
        action.notSupported(List.of("DoNotSchedule", "ScheduleAnyway"));
      }
      if (last.getOrDefault(pair(constraint), i) > i) {
        constraint
            .at("{topologyKey, whenUnsatisfiable}")
            .with(Json.of(pair(constraint)))
            .duplicate();
      }
      var domains = constraint.at("minDomains");
      if (domains.isPresent()) {
        ValueChecks.positive(domains);
        if (!action.isText("DoNotSchedule")) {
          domains.invalid(
              "can only use minDomains if whenUnsatisfiable=DoNotSchedule, not " + action.text());
        }
      }
      ValueChecks.optionalChoice(constraint.at("nodeAffinityPolicy"), "Honor", "Ignore");
      ValueChecks.optionalChoice(constraint.at("nodeTaintsPolicy"), "Honor", "Ignore");
      SPREAD_KEYS.check(constraint);
      SPREAD_SELECTOR.check(constraint.at("labelSelector"));
    }
  }

  /** The topologyKey and whenUnsatisfiable of a constraint, a combination that must be unique. */
  private static String pair(FieldCursor constraint) {
    return "{"
        + constraint.at("topologyKey").text()
        + ", "
        + constraint.at("whenUnsatisfiable").text()
        + "}";
  }

  public static void gates(FieldCursor gates) {
    var seen = new HashSet<String>();
    for (var gate : gates.items()) {
      var name = gate.at("name").text();
      for (var problem : Names.qualifiedName(name)) {
        gate.invalid(Json.of(name), problem);
      }
      if (!seen.add(name)) {
        gate.with(Json.of(name)).duplicate();
      }
    }
  }
}
