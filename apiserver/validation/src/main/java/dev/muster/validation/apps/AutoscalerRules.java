package dev.muster.validation.apps;

import static dev.muster.validation.Default.absent;
import static dev.muster.validation.Default.in;
import static dev.muster.validation.Default.make;
import static dev.muster.validation.Default.value;
import static dev.muster.validation.Default.when;
import static dev.muster.validation.Rules.field;
import static dev.muster.validation.Rules.metadataUpdate;
import static dev.muster.validation.Rules.namespacedMetadata;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.NameRule;
import dev.muster.model.validation.Names;
import dev.muster.schema.read.EmptyFields;
import dev.muster.types.Strategy;
import dev.muster.types.conversion.AutoscalerAnnotations;
import dev.muster.validation.Default;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.ResourceRules;
import dev.muster.validation.ValueChecks;

/** The strategy of HorizontalPodAutoscalers. */
public final class AutoscalerRules {
  private static final JsonObject CPU =
      JsonObject.of(
          "type",
          "Resource",
          "resource",
          JsonObject.of(
              "name",
              "cpu",
              "target",
              JsonObject.of("type", "Utilization", "averageUtilization", 80)));

  private static final JsonObject PERCENT = policy("Percent", 100);

  private static final Default DEFAULTS =
      make(
          "spec",
          value("minReplicas", 1),
          when(
              spec -> spec.array("metrics").isEmpty(),
              Default.code(spec -> spec.with("metrics", JsonArray.of(CPU)))),
          in(
              "behavior",
              make(
                  "scaleUp",
                  value("stabilizationWindowSeconds", 0),
                  absent("selectPolicy", "Max"),
                  value("policies", JsonArray.of(policy("Pods", 4), PERCENT))),
              make(
                  "scaleDown",
                  absent("selectPolicy", "Max"),
                  value("policies", JsonArray.of(PERCENT)))));

  public static final Strategy STRATEGY =
      ResourceRules.namespaced()
          .emptyFields(
              EmptyFields.at("spec.behavior.scaleUp.policies", "spec.behavior.scaleDown.policies"))
          .status()
          .defaults(Default.code(AutoscalerAnnotations::dropped), DEFAULTS)
          .create(namespacedMetadata(NameRule.DNS_SUBDOMAIN), field("spec", AutoscalerRules::spec))
          .update(metadataUpdate(), field("spec", AutoscalerRules::spec))
          .statusUpdate(
              metadataUpdate(),
              field(
                  "status",
                  status -> ValueChecks.nonNegative(status, "currentReplicas", "desiredReplicas")))
          .build();

  private AutoscalerRules() {}

  private static void spec(FieldCursor spec) {
    var least = spec.at("minReplicas");
    var most = spec.at("maxReplicas");
    int bound = least.before().isPresent() && least.before().integer() == 0 ? 0 : 1;
    if (least.isPresent() && least.integer() < bound) {
      least.invalid("must be greater than or equal to " + bound);
    }
    if (most.integer() == 0) {
      most.required("must be set and greater than 0");
    } else if (most.integer() < 0) {
      most.invalid("must be greater than or equal to 1");
    }
    if (least.isPresent() && most.integer() < least.integer()) {
      ValueChecks.invalidNumber(most, "must be greater than or equal to `minReplicas`");
    }
    var target = spec.at("scaleTargetRef");
    boolean sameKind =
        target.isUpdate() && !target.at("apiVersion").isChanged() && !target.at("kind").isChanged();
    reference(target, sameKind, target.at("kind").isText("ReplicationController"));
    Metrics.check(spec.at("metrics"), least.isPresent() && least.integer() == 0);
    Metrics.scaling(spec.at("behavior", "scaleUp"));
    Metrics.scaling(spec.at("behavior", "scaleDown"));
  }

  /** A reference to a scale target or a measured object. */
  static void reference(FieldCursor reference, boolean anyVersion, boolean withoutGroup) {
    ValueChecks.required(reference.at("kind"), Names::pathSegment);
    ValueChecks.required(reference.at("name"), Names::pathSegment);
    var version = reference.at("apiVersion");
    var problem = anyVersion ? "" : versionProblem(version.text(), withoutGroup);
    if (!problem.isEmpty()) {
      version.invalid(Json.of(version.text()), problem);
    }
  }

  /** The error in an apiVersion; "" when it is valid. */
  static String versionProblem(String version, boolean withoutGroup) {
    int slash = version.indexOf('/');
    if (slash != version.lastIndexOf('/')) {
      return "unexpected GroupVersion string: " + version;
    }
    return withoutGroup || slash > 0 ? "" : "apiVersion must specify API group";
  }

  private static JsonObject policy(String type, long value) {
    return JsonObject.of("type", type, "value", value, "periodSeconds", 15);
  }
}
