package dev.muster.admission.matching;

import dev.muster.model.MalformedValueException;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.select.LabelSelector;
import dev.muster.model.status.ApiException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which requests a policy, a binding or a webhook is about. Immutable.
 *
 * @param isForAll whether it is about every request that the selectors choose, whatever it is for
 * @param equivalent whether a rule for one version of a resource is about all of them
 * @param problem why the selectors cannot be read, or ""
 */
public record MatchCriteria(
    LabelSelector namespaces,
    LabelSelector objects,
    boolean isForAll,
    List<ResourceRuleMatch> rules,
    List<ResourceRuleMatch> excluded,
    boolean equivalent,
    String problem) {

  /** Those of a policy's {@code matchConstraints} or a binding's {@code matchResources}. */
  public static MatchCriteria ofResources(JsonObject resources) {
    var rules = rules(resources.array("resourceRules"));
    return of(resources, rules.isEmpty(), rules, rules(resources.array("excludeResourceRules")));
  }

  /** Those of a webhook: without rules it is about nothing. */
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
   * The version that the request is looked at in, or null when this is not about it. Rules come
   * first, because they are what most requests differ in, and only whom they choose is to suffer
   * from selectors that cannot be decided.
   *
   * @throws ApiException InternalError when the selectors make no sense, and NotFound when they ask
   *     for a namespace that is not there
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
