package dev.muster.validation.apps;

import static dev.muster.types.conversion.DeprecatedAnnotations.TEMPLATE_GENERATION;
import static dev.muster.validation.Default.absent;
import static dev.muster.validation.Default.make;
import static dev.muster.validation.Default.value;
import static dev.muster.validation.Default.when;
import static dev.muster.validation.FieldChecks.immutable;
import static dev.muster.validation.Rules.field;
import static dev.muster.validation.Rules.metadataUpdate;
import static dev.muster.validation.Rules.namespacedMetadata;

import dev.muster.model.gocompat.GoNumber;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.NameRule;
import dev.muster.types.Strategy;
import dev.muster.validation.Default;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.ValueChecks;
import dev.muster.validation.pods.PodDefaults;
import dev.muster.validation.pods.PodSpecRules;
import dev.muster.validation.pods.PodWarnings;
import dev.muster.validation.pods.scheduling.Scheduling;

/** The strategy of DaemonSets. */
public final class DaemonSetRules {
  private static final Default DEFAULTS =
      make(
          "spec",
          make(
              "updateStrategy",
              value("type", "RollingUpdate"),
              when(
                  strategy -> strategy.string("type").equals("RollingUpdate"),
                  make(
                      "rollingUpdate",
                      absent("maxUnavailable", Json.of(1)),
                      absent("maxSurge", Json.of(0))))),
          value("revisionHistoryLimit", 10),
          Templates.LABELS,
          make("template", PodDefaults.TEMPLATE));

  public static final Strategy STRATEGY =
      Templates.workload()
          .defaults(DEFAULTS)
          .prepareCreate(
              set ->
                  withTemplateGeneration(
                      Templates.created(set), Math.max(1, templateGeneration(set))))
          .prepareUpdate(DaemonSetRules::updated)
          .prepareStatusUpdate((set, old) -> withTemplateGeneration(set, templateGeneration(old)))
          .create(namespacedMetadata(NameRule.DNS_SUBDOMAIN), field("spec", DaemonSetRules::spec))
          .update(
              metadataUpdate(),
              field("spec.selector", immutable()),
              field("spec", DaemonSetRules::spec))
          .statusUpdate(metadataUpdate(), field("status", DaemonSetRules::status))
          .warnings(DaemonSetRules::warnings)
          .build();

  private DaemonSetRules() {}

  private static void warnings(FieldCursor set) {
    if (!set.isUpdate() || set.at("spec", "template").isChanged()) {
      PodWarnings.unchecked(set, "spec", "template");
    }
  }

  private static void spec(FieldCursor spec) {
    var selector = spec.at("selector");
    Scheduling.selector(selector);
    if (Templates.isReadable(selector)) {
      Templates.matches(spec.at("template"), selector);
    }
    if (selector.isPresent() && Templates.isEmpty(selector)) {
      selector.invalid("empty selector is invalid for daemonset");
    }
    PodSpecRules.template(spec.at("template"));
    Templates.runsForever(spec.at("template", "spec"), "DaemonSet");
    ValueChecks.nonNegative(spec, "minReadySeconds");
    strategy(spec.at("updateStrategy"));
    ValueChecks.nonNegative(spec, "revisionHistoryLimit");
  }

  private static void strategy(FieldCursor strategy) {
    switch (strategy.at("type").text()) {
      case "OnDelete" -> {}
      case "RollingUpdate" -> {
        var unavailable = strategy.at("rollingUpdate", "maxUnavailable");
        var surge = strategy.at("rollingUpdate", "maxSurge");
        Templates.share(unavailable);
        Templates.share(surge);
        Templates.notMoreThanAll(unavailable);
        Templates.notMoreThanAll(surge);
        boolean away = Templates.amount(unavailable) != 0;
        boolean more = Templates.amount(surge) != 0;
        if (away && more) {
          surge.invalid("may not be set when maxUnavailable is non-zero");
        } else if (!away && !more) {
          unavailable.required("cannot be 0 when maxSurge is 0");
        }
      }
      default -> DeploymentRules.unsupported(strategy, "RollingUpdate", "OnDelete");
    }
  }

  private static void status(FieldCursor status) {
    ValueChecks.nonNegative(
        status,
        "currentNumberScheduled",
        "numberMisscheduled",
        "desiredNumberScheduled",
        "numberReady",
        "observedGeneration",
        "updatedNumberScheduled",
        "numberAvailable",
        "numberUnavailable",
        "collisionCount");
    Templates.collisions(status);
  }

  private static JsonObject updated(JsonObject set, JsonObject old) {
    var prepared = Templates.updated(set, old);
    boolean changed = !prepared.object("spec", "template").equals(old.object("spec", "template"));
    return withTemplateGeneration(prepared, templateGeneration(old) + (changed ? 1 : 0));
  }

  /** Counts changes of the template, in an annotation that replaces a former field. */
  private static long templateGeneration(JsonObject set) {
    return GoNumber.orZero(set.object("metadata", "annotations").string(TEMPLATE_GENERATION));
  }

  private static JsonObject withTemplateGeneration(JsonObject set, long generation) {
    return set.withAt(
        Json.of(Long.toString(generation)), "metadata", "annotations", TEMPLATE_GENERATION);
  }
}
