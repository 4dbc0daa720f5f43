package dev.muster.validation.apps;

import static dev.muster.types.conversion.DeprecatedAnnotations.ROLLBACK;
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
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.NameRule;
import dev.muster.types.Strategy;
import dev.muster.validation.Default;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.Generation;
import dev.muster.validation.ResourceRules;
import dev.muster.validation.ValueChecks;
import dev.muster.validation.pods.PodDefaults;
import dev.muster.validation.pods.PodWarnings;
import java.util.List;
import java.util.regex.Matcher;

/** The strategy of Deployments. */
public final class DeploymentRules {
  private static final Default DEFAULTS =
      make(
          "spec",
          value("replicas", 1),
          make(
              "strategy",
              value("type", "RollingUpdate"),
              when(
                  strategy -> strategy.string("type").equals("RollingUpdate"),
                  make(
                      "rollingUpdate",
                      absent("maxUnavailable", "25%"),
                      absent("maxSurge", "25%")))),
          value("revisionHistoryLimit", 10),
          value("progressDeadlineSeconds", 600),
          Templates.LABELS,
          make("template", PodDefaults.TEMPLATE));

  public static final Strategy STRATEGY =
      ResourceRules.namespaced()
          .emptyFields(Templates.EMPTY_FIELDS)
          .status()
          .defaults(DEFAULTS)
          .prepareCreate(
              object -> Templates.created(object).withAt(Json.of(1), "metadata", "generation"))
          .prepareUpdate(DeploymentRules::updated)
          .prepareStatusUpdate(DeploymentRules::statusUpdated)
          .create(namespacedMetadata(NameRule.DNS_SUBDOMAIN), field("spec", DeploymentRules::spec))
          .update(
              metadataUpdate(),
              field("spec", DeploymentRules::spec),
              field("spec.selector", immutable()))
          .statusUpdate(metadataUpdate(), field("status", DeploymentRules::status))
          .warnings(
              PodWarnings::podName, object -> PodWarnings.template(object, "spec", "template"))
          .build();

  private DeploymentRules() {}

  private static void spec(FieldCursor spec) {
    ValueChecks.nonNegative(spec, "replicas");
    Templates.selected(spec, "ReplicaSet", "empty selector is invalid for deployment");
    strategy(spec.at("strategy"));
    ValueChecks.nonNegative(spec, "minReadySeconds", "revisionHistoryLimit");
    rollback(spec);
    ValueChecks.nonNegative(spec, "progressDeadlineSeconds");
    var deadline = spec.at("progressDeadlineSeconds");
    if (deadline.isPresent() && deadline.integer() <= spec.at("minReadySeconds").integer()) {
      deadline.invalid("must be greater than minReadySeconds");
    }
  }

  private static void rollback(FieldCursor spec) {
    var wanted = spec.root().at("metadata", "annotations").entry(ROLLBACK).text();
    var revision = spec.at("rollback", "version").with(Json.of(GoNumber.orZero(wanted)));
    if (revision.integer() < 0) {
      revision.invalid("must be greater than or equal to 0");
    }
  }

  private static void strategy(FieldCursor strategy) {
    var rolling = strategy.at("rollingUpdate");
    switch (strategy.at("type").text()) {
      case "Recreate" -> {
        if (rolling.isPresent()) {
          rolling.forbidden("may not be specified when strategy `type` is 'Recreate'");
        }
      }
      case "RollingUpdate" -> {
        var unavailable = rolling.at("maxUnavailable");
        var surge = rolling.at("maxSurge");
        Templates.share(unavailable);
        Templates.share(surge);
        if (Templates.amount(unavailable) == 0 && Templates.amount(surge) == 0) {
          unavailable.invalid("may not be 0 when `maxSurge` is 0");
        }
        Templates.notMoreThanAll(unavailable);
      }
      default -> unsupported(strategy, "Recreate", "RollingUpdate");
    }
  }

  /** Reports a strategy type as not supported; like upstream, shows the whole strategy. */
  static void unsupported(FieldCursor strategy, String... types) {
    var error = FieldError.notSupported(strategy.path(), "", List.of(types));
    var shown = Matcher.quoteReplacement(strategy.object().toString());
    strategy.report(
        new FieldError(error.type(), error.path(), error.body().replaceFirst("\"\"", shown)));
  }

  private static void status(FieldCursor status) {
    ValueChecks.nonNegative(
        status,
        "observedGeneration",
        "replicas",
        "updatedReplicas",
        "readyReplicas",
        "availableReplicas",
        "unavailableReplicas",
        "terminatingReplicas",
        "collisionCount");
    Templates.counted(
        status,
        "cannot be greater than readyReplicas",
        "updatedReplicas",
        "readyReplicas",
        "availableReplicas");
    Templates.collisions(status);
  }

  /** Changed annotations also increment the generation, because they are copied to ReplicaSets. */
  private static JsonObject updated(JsonObject deployment, JsonObject old) {
    var prepared = Templates.updated(deployment, old);
    boolean changed =
        !prepared.object("spec").equals(old.object("spec"))
            || !prepared
                .object("metadata", "annotations")
                .equals(old.object("metadata", "annotations"));
    return Generation.with(prepared, old, changed);
  }

  private static JsonObject statusUpdated(JsonObject deployment, JsonObject old) {
    var labels = old.object("metadata").get("labels");
    var kept =
        labels == null
            ? deployment.withoutAt("metadata", "labels")
            : deployment.withAt(labels, "metadata", "labels");
    var rollback = old.object("metadata", "annotations").get(ROLLBACK);
    return rollback == null
        ? kept.withoutAt("metadata", "annotations", ROLLBACK)
        : kept.withAt(rollback, "metadata", "annotations", ROLLBACK);
  }
}
