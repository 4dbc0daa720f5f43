package dev.muster.admission.matching;

import dev.muster.model.MalformedValueException;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.select.LabelSelector;
import dev.muster.model.status.ApiException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules and selectors of a policy, a binding or a webhook, which decide whether it applies to a
 * request. Immutable.
 *
 * @param isForAll whether the selectors alone decide
 * @param equivalent whether a rule for one version of a resource applies to all versions
 * @param problem why the selectors cannot be parsed, or ""
 */
public record MatchCriteria(
    LabelSelector namespaces,
    LabelSelector objects,
    boolean isForAll,
    List<ResourceRuleMatch> rules,
    List<ResourceRuleMatch> excluded,
    boolean equivalent,
    String problem) {

  /** The criteria of a policy's {@code matchConstraints} or a binding's {@code matchResources}. */
  public static MatchCriteria ofResources(JsonObject resources) {
    var rules = rules(resources.array("resourceRules"));
    return of(resources, rules.isEmpty(), rules, rules(resources.array("excludeResourceRules")));
  }

  /** The criteria of a webhook; without rules it matches nothing. */
  public static MatchCriteria ofWebhook(JsonObject webhook) {
    return of(webhook, false, rules(webhook.array("rules")), List.of());
  }

  private static MatchCriteria of(
      JsonObject given,
      boolean isForAll,
      List<ResourceRuleMatch> rules,
      List<ResourceRuleMatch> excluded) {
    boolean equivalent = !given.string("matchPolicy").equals("Exact");
    try {
      return new MatchCriteria(
          LabelSelector.ofObject(given.object("namespaceSelector")),
          LabelSelector.ofObject(given.object("objectSelector")),
          isForAll,
          rules,
          excluded,
          equivalent,
          "");
    } catch (MalformedValueException e) {
      return new MatchCriteria(
          LabelSelector.EVERYTHING,
          LabelSelector.EVERYTHING,
          isForAll,
          rules,
          excluded,
          equivalent,
          e.text());
    }
  }

  private static List<ResourceRuleMatch> rules(JsonArray rules) {
    return rules.objects().stream().map(ResourceRuleMatch::of).toList();
  }

  /**
   * The version in which the request matches, or null when it does not. Rules are checked first:
   * most requests differ in them, and a selector that cannot be evaluated then affects only
   * requests that the rules match.
   *
   * @throws ApiException InternalError when the selectors are invalid, and NotFound when they need
   *     a namespace that does not exist
   */
  public @Nullable MatchedVersion match(AdmissionAttributes attributes) {
    if (match(excluded, attributes) != null) {
      return null;
    }
    var found = isForAll ? attributes.own() : match(rules, attributes);
    if (found == null || !attributes.isChosen(objects)) {
      return null;
    }
    if (!problem.isEmpty()) {
      throw ApiException.internal(problem);
    }
    return attributes.isChosenByNamespace(namespaces) ? found : null;
  }

  private @Nullable MatchedVersion match(
      List<ResourceRuleMatch> some, AdmissionAttributes attributes) {
    for (var rule : some) {
      if (attributes.is(rule, attributes.own())) {
        return attributes.own();
      }
    }
    if (equivalent && !some.isEmpty()) {
      var equivalents = attributes.equivalents();
      for (var rule : some) {
        for (var version : equivalents) {
          if (attributes.is(rule, version)) {
            return version;
          }
        }
      }
    }
    return null;
  }
}
