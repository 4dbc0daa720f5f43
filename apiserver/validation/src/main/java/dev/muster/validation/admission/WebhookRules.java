package dev.muster.validation.admission;

import static dev.muster.validation.Default.absent;
import static dev.muster.validation.Default.each;
import static dev.muster.validation.Default.in;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.DomainNames;
import dev.muster.model.validation.LabelRules;
import dev.muster.model.validation.NameRule;
import dev.muster.model.validation.Names;
import dev.muster.schema.read.EmptyFields;
import dev.muster.types.Strategy;
import dev.muster.validation.Default;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.ResourceRules;
import dev.muster.validation.Rule;
import dev.muster.validation.Rules;
import dev.muster.validation.WebhookClients;
import java.util.HashSet;
import java.util.List;

/**
 * The strategies of webhook configurations. An update skips rules that the stored object already
 * breaks, because older servers accepted it.
 */
public final class WebhookRules {
  private static final List<String> REVIEW_VERSIONS = List.of("v1", "v1beta1");
  private static final List<String> SIDE_EFFECTS =
      List.of("None", "NoneOnDryRun", "Some", "Unknown");
  private static final List<String> NO_SIDE_EFFECTS = List.of("None", "NoneOnDryRun");

  private static final Default DEFAULTS =
      Default.all(
          absent("failurePolicy", "Fail"),
          absent("matchPolicy", "Equivalent"),
          absent("namespaceSelector", JsonObject.EMPTY),
          absent("objectSelector", JsonObject.EMPTY),
          absent("timeoutSeconds", Json.of(10)),
          in("clientConfig", in("service", absent("port", Json.of(443)))),
          each("rules", MatchRules.RULE_DEFAULTS));

  public static final Strategy VALIDATING = strategy(DEFAULTS);
  public static final Strategy MUTATING =
      strategy(Default.all(DEFAULTS, absent("reinvocationPolicy", "Never")));

  private WebhookRules() {}

  private static Strategy strategy(Default hook) {
    var rules =
        Rule.all(Rules.plainMetadata(false, NameRule.DNS_SUBDOMAIN), WebhookRules::webhooks);
    return ResourceRules.cluster()
        .emptyFields(EmptyFields.ALL.under("webhooks"))
        .generation()
        .defaults(each("webhooks", hook))
        .create(rules)
        .update(rules)
        .warnings(AdmissionRules::reservedName)
        .refusesUnconditionalUpdate()
        .build();
  }

  /** The rules that apply unless the stored object breaks them. */
  private record Strictness(
      boolean sideEffects, boolean versions, boolean names, boolean selectors, boolean conditions) {

    static Strictness of(FieldCursor webhooks) {
      var old = webhooks.before().array().objects();
      var names = new HashSet<String>();
      boolean unique = true;
      boolean noEffects = true;
      boolean known = true;
      boolean valid = true;
      for (var hook : old) {
        unique &= names.add(hook.string("name"));
        noEffects &= NO_SIDE_EFFECTS.contains(hook.string("sideEffects"));
        var versions = hook.array("admissionReviewVersions").strings();
        known &= versions.isEmpty() || versions.stream().anyMatch(REVIEW_VERSIONS::contains);
        valid &=
            !LabelRules.hasInvalidValue(hook.object("namespaceSelector"))
                && !LabelRules.hasInvalidValue(hook.object("objectSelector"));
      }
      return new Strictness(noEffects, known, unique, valid, conditionsChanged(webhooks));
    }

    private static boolean conditionsChanged(FieldCursor webhooks) {
      var old = webhooks.before().array();
      if (!webhooks.isUpdate() || old.size() != webhooks.array().size()) {
        return true;
      }
      for (int i = 0; i < old.size(); i++) {
        var before = old.object(i).array("matchConditions");
        if (!before.equals(webhooks.array().object(i).array("matchConditions"))) {
          return true;
        }
      }
      return false;
    }
  }

  private static void webhooks(FieldCursor configuration) {
    var webhooks = configuration.at("webhooks");
    var strictness = Strictness.of(webhooks);
    var names = new HashSet<String>();
    for (var hook : webhooks.items()) {
      webhook(hook, strictness);
      reviewVersions(hook.at("admissionReviewVersions"), strictness.versions());
      var name = hook.at("name");
      if (strictness.names() && !name.isEmpty() && !names.add(name.text())) {
        name.duplicate();
      }
    }
  }

  private static void webhook(FieldCursor hook, Strictness strictness) {
    var name = hook.at("name");
    Rules.report(name, errors -> DomainNames.fullyQualifiedName(name.path(), name.text(), errors));
    hook.at("rules").items().forEach(MatchRules::rule);
    MatchRules.choice(hook.at("failurePolicy"), MatchRules.FAILURE_POLICIES);
    MatchRules.choice(hook.at("matchPolicy"), MatchRules.MATCH_POLICIES);
    var allowed = strictness.sideEffects() ? NO_SIDE_EFFECTS : SIDE_EFFECTS;
    if (hook.at("sideEffects").isAbsent()) {
      hook.at("sideEffects").required("must specify one of " + String.join(", ", allowed));
    }
    MatchRules.choice(hook.at("sideEffects"), allowed);
    var timeout = hook.at("timeoutSeconds");
    if (timeout.isPresent() && (timeout.integer() > 30 || timeout.integer() < 1)) {
      timeout.invalid("the timeout value must be between 1 and 30 seconds");
    }
    selector(hook.at("namespaceSelector"), strictness);
    selector(hook.at("objectSelector"), strictness);
    MatchRules.choice(hook.at("reinvocationPolicy"), MatchRules.REINVOCATION);
    client(hook.at("clientConfig"));
    if (strictness.conditions()) {
      Expressions.matchConditions(hook.at("matchConditions"), false);
    }
  }

  private static void selector(FieldCursor selector, Strictness strictness) {
    Rules.report(
        selector,
        errors ->
            LabelRules.selector(
                selector.object(), selector.path(), strictness.selectors(), errors));
  }

  private static void client(FieldCursor client) {
    var url = client.at("url");
    var service = client.at("service");
    if (url.isPresent() == service.isPresent()) {
      client.required("exactly one of url or service is required");
    } else if (url.isPresent()) {
      WebhookClients.url(url);
    } else {
      WebhookClients.service(service);
    }
  }

  private static void reviewVersions(FieldCursor versions, boolean known) {
    var accepted = String.join(", ", REVIEW_VERSIONS);
    if (versions.isEmpty()) {
      versions.required("must specify one of " + accepted);
      return;
    }
    var seen = new HashSet<String>();
    for (var version : versions.items()) {
      if (!seen.add(version.text())) {
        version.invalid("duplicate version");
      } else {
        version.invalidEach(Names.dns1035Label(version.text()));
      }
    }
    if (known && REVIEW_VERSIONS.stream().noneMatch(seen::contains)) {
      versions.invalid("must include at least one of " + accepted);
    }
  }
}
