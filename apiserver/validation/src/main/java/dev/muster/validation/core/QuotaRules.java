package dev.muster.validation.core;

import static dev.muster.validation.Default.in;
import static dev.muster.validation.Rules.entries;
import static dev.muster.validation.Rules.field;
import static dev.muster.validation.Rules.metadataUpdate;
import static dev.muster.validation.Rules.namespacedMetadata;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonNull;
import dev.muster.model.validation.MetadataRules;
import dev.muster.model.validation.NameRule;
import dev.muster.schema.read.EmptyFields;
import dev.muster.types.Strategy;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.ResourceRules;
import dev.muster.validation.Resources;
import dev.muster.validation.Rule;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The strategy of ResourceQuotas. */
public final class QuotaRules {
  private static final Set<String> POD_SCOPES =
      Set.of(
          "Terminating",
          "NotTerminating",
          "NotBestEffort",
          "PriorityClass",
          "CrossNamespacePodAffinity");
  private static final Set<String> COMPUTE =
      Set.of(
          "pods",
          "cpu",
          "memory",
          "limits.cpu",
          "limits.memory",
          "requests.cpu",
          "requests.memory");
  private static final Set<String> EXISTING_SCOPES =
      Set.of(
          "BestEffort",
          "NotBestEffort",
          "Terminating",
          "NotTerminating",
          "CrossNamespacePodAffinity");

  private static final Rule AMOUNTS =
      entries(Resources::name, QuotaRules::quotaName, Resources::amountOf);

  private static final Rule SPEC =
      field("spec", field("hard", AMOUNTS), QuotaRules::scopes, QuotaRules::scopeSelector);

  private static final Rule STATUS =
      field("status", field("hard", AMOUNTS), field("used", AMOUNTS));

  public static final Strategy STRATEGY =
      ResourceRules.namespaced()
          .emptyFields(EmptyFields.at("spec.scopes"))
          .defaults(
              in("spec", Resources.rounded("hard")),
              in("status", Resources.rounded("hard"), Resources.rounded("used")))
          .status()
          .create(namespacedMetadata(NameRule.DNS_SUBDOMAIN), SPEC, STATUS)
          .update(metadataUpdate(), SPEC, field("spec.scopes", QuotaRules::sameScopes))
          .statusUpdate(metadataUpdate(), STATUS)
          .warnings(QuotaRules::warnings)
          .answersDeleteWithObject()
          .build();

  private QuotaRules() {}

  private static void quotaName(FieldCursor entry) {
    if (entry.name().indexOf('/') < 0 && !Resources.isForQuota(entry.name())) {
      entry.invalid(Json.of(entry.name()), "must be a standard resource for quota");
    }
  }

  private static void scopes(FieldCursor spec) {
    var scopes = spec.at("scopes");
    var names = scopes.array().strings();
    var limited = limited(spec);
    for (var scope : names) {
      if (!isKnown(scope)) {
        scopes.invalid("unsupported scope");
      }
      unfit(limited, scope, scopes, scopes.array());
    }
    conflicts(new HashSet<>(names), scopes, scopes.array());
  }

  private static boolean isKnown(String scope) {
    return POD_SCOPES.contains(scope)
        || scope.equals("BestEffort")
        || scope.equals("VolumeAttributesClass");
  }

  /**
   * The limited resources to which a scope may not apply: only those that the server knows, so
   * there are few.
   */
  private static List<String> limited(FieldCursor spec) {
    return spec.at("hard").object().keys().stream().filter(Resources::isForQuota).toList();
  }

  /** Refuses a scope, once for each limited resource to which it does not apply. */
  private static void unfit(List<String> limited, String scope, FieldCursor place, Json shown) {
    for (var resource : limited) {
      if (!fits(scope, resource)) {
        place.invalid(shown, "unsupported scope applied to resource");
      }
    }
  }

  private static boolean fits(String scope, String resource) {
    if (POD_SCOPES.contains(scope)) {
      return COMPUTE.contains(resource);
    }
    return switch (scope) {
      case "BestEffort" -> resource.equals("pods");
      case "VolumeAttributesClass" ->
          resource.equals("persistentvolumeclaims") || resource.equals("requests.storage");
      default -> true;
    };
  }

  private static void conflicts(Set<String> scopes, FieldCursor place, Json shown) {
    for (var pair :
        List.of(List.of("BestEffort", "NotBestEffort"), List.of("Terminating", "NotTerminating"))) {
      if (scopes.containsAll(pair)) {
        place.invalid(shown, "conflicting scopes");
      }
    }
  }

  private static void scopeSelector(FieldCursor spec) {
    var selector = spec.at("scopeSelector");
    var list = selector.at("matchExpressions");
    var scopes = new HashSet<String>();
    var limited = limited(spec);
    for (var item : list.items()) {
      var scope = item.at("scopeName").text();
      scopes.add(scope);
      if (!isKnown(scope)) {
        list.at("scopeName").with(Json.of(scope)).invalid("unsupported scope");
      }
      unfit(limited, scope, list, selector.object());
      operator(list, item, scope);
    }
    conflicts(scopes, list, spec.has("scopes") ? spec.at("scopes").array() : JsonNull.NULL);
  }

  private static void operator(FieldCursor list, FieldCursor item, String scope) {
    var operator = item.at("operator").text();
    var values = item.at("values").array();
    var at = list.at("operator").with(Json.of(operator));
    if (EXISTING_SCOPES.contains(scope) && !operator.equals("Exists")) {
      at.invalid(
          "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating,"
              + " ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort,"
              + " ResourceQuotaScopeNotBestEffort or"
              + " ResourceQuotaScopeCrossNamespacePodAffinity");
    }
    switch (operator) {
      case "In", "NotIn" -> {
        if (values.isEmpty()) {
          list.at("values")
              .required(
                  "must be at least one value when `operator` is 'In' or 'NotIn' for scope"
                      + " selector");
        }
      }
      case "Exists", "DoesNotExist" -> {
        if (!values.isEmpty()) {
          list.at("values")
              .invalid(
                  values,
                  "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope"
                      + " selector");
        }
      }
      default -> at.invalidTyped("not a valid selector operator");
    }
  }

  private static void sameScopes(FieldCursor scopes) {
    var now = new HashSet<>(scopes.array().strings());
    if (!now.equals(new HashSet<>(scopes.before().array().strings()))) {
      scopes.invalid(scopes.isAbsent() ? JsonNull.NULL : scopes.array(), MetadataRules.IMMUTABLE);
    }
  }

  private static void warnings(FieldCursor quota) {
    if (quota.isUpdate()) {
      return;
    }
    var hard = quota.at("spec", "hard");
    for (var resource : new String[] {"cpu", "memory", "storage", "ephemeral-storage"}) {
      boolean plain = resource.equals("cpu") || resource.equals("memory");
      var name = !hard.has("requests." + resource) && plain ? resource : "requests." + resource;
      var request = Resources.parse(hard.entry(name).value());
      var limit = Resources.parse(hard.entry("limits." + resource).value());
      if (request != null && limit != null && request.compareTo(limit) > 0) {
        quota.warn(
            "ResourceQuota "
                + name
                + " ("
                + request
                + ") should be less than limits."
                + resource
                + " ("
                + limit
                + ")");
      }
    }
  }
}
