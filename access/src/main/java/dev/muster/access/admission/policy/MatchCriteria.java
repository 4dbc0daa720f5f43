package dev.muster.access.admission.policy;

import dev.muster.model.MalformedValueException;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.select.LabelSelector;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which requests a policy or a binding is about. Immutable.
 *
 * @param rules none stand for every request
 * @param equivalent whether a rule for one version of a resource is about all of them
 * @param problem why the selectors cannot be read, or ""
 */
record MatchCriteria(
    LabelSelector namespaces,
    LabelSelector objects,
    List<ResourceRuleMatch> rules,
    List<ResourceRuleMatch> excluded,
    boolean equivalent,
    String problem) {

  static MatchCriteria of(JsonObject resources) {
    var rules = rules(resources.array("resourceRules"));
    var excluded = rules(resources.array("excludeResourceRules"));
    boolean equivalent = !resources.string("matchPolicy").equals("Exact");
    try {
      return new MatchCriteria(
          LabelSelector.ofObject(resources.object("namespaceSelector")),
          LabelSelector.ofObject(resources.object("objectSelector")),
          rules,
          excluded,
          equivalent,
          "");
    } catch (MalformedValueException e) {
      return new MatchCriteria(
          LabelSelector.EVERYTHING,
          LabelSelector.EVERYTHING,
          rules,
          excluded,
          equivalent,
          "Internal error occurred: " + e.text());
    }
  }

  private static List<ResourceRuleMatch> rules(JsonArray rules) {
    return rules.objects().stream().map(ResourceRuleMatch::of).toList();
  }

  /**
   * The version that the request is looked at in, or null when this is not about it.
   *
   * @throws ConfigurationException when nobody can say
   */
  @Nullable MatchedVersion match(PolicyRequest request) {
    if (!objects.isEverything() && !request.hasObject(objects)) {
      return null;
    }
    var labels = namespaces.isEverything() ? JsonObject.EMPTY : request.namespaceLabels();
    if (labels != null && !namespaces.isEverything() && request.isInNamespace()) {
      if (!namespaces.matches(labels)) {
        return null;
      }
    }
    if (!excluded.isEmpty() && match(excluded, request) != null) {
      return null;
    }
    var found = rules.isEmpty() ? request.own() : match(rules, request);
    if (found != null && !problem.isEmpty()) {
      throw new ConfigurationException(problem);
    }
    if (found != null && labels == null) {
      throw new ConfigurationException("namespaces \"" + request.namespace() + "\" not found");
    }
    return found;
  }

  private @Nullable MatchedVersion match(List<ResourceRuleMatch> some, PolicyRequest request) {
    for (var rule : some) {
      if (request.is(rule, request.own())) {
        return request.own();
      }
    }
    if (equivalent) {
      for (var rule : some) {
        for (var version : request.equivalents()) {
          if (request.is(rule, version)) {
            return version;
          }
        }
      }
    }
    return null;
  }
}
