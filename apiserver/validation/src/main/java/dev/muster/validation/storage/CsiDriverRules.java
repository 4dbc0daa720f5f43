package dev.muster.validation.storage;

import static dev.muster.validation.Default.absent;
import static dev.muster.validation.Default.computed;
import static dev.muster.validation.Default.make;
import static dev.muster.validation.Default.value;
import static dev.muster.validation.FieldChecks.atLeast;
import static dev.muster.validation.FieldChecks.immutable;
import static dev.muster.validation.FieldChecks.oneOf;
import static dev.muster.validation.Rules.clusterMetadata;
import static dev.muster.validation.Rules.field;
import static dev.muster.validation.Rules.metadataUpdate;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import dev.muster.model.validation.MetadataRules;
import dev.muster.model.validation.NameRule;
import dev.muster.types.Strategy;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.Generation;
import dev.muster.validation.ResourceRules;
import dev.muster.validation.Rule;
import java.util.HashSet;
import java.util.List;

/** The strategy of CSIDrivers. */
public final class CsiDriverRules {
  private static final long TEN_MINUTES = 600;
  private static final long MOST_SECONDS = 1L << 32;
  private static final List<String> MODES = List.of("Persistent", "Ephemeral");

  private static final Rule SPEC =
      field(
          "spec",
          field("fsGroupPolicy", oneOf("File", "None", "ReadWriteOnceWithFSType")),
          field("tokenRequests", CsiDriverRules::tokens),
          field("volumeLifecycleModes", CsiDriverRules::modes),
          field(
              "nodeAllocatableUpdatePeriodSeconds",
              atLeast(10, "must be greater than or equal to 10 seconds")),
          CsiDriverRules::secrets);

  public static final Strategy STRATEGY =
      ResourceRules.cluster()
          .defaults(
              make(
                  "spec",
                  value("attachRequired", true),
                  value("podInfoOnMount", false),
                  value("storageCapacity", false),
                  absent("fsGroupPolicy", "ReadWriteOnceWithFSType"),
                  computed("volumeLifecycleModes", spec -> JsonArray.of(Json.of("Persistent"))),
                  value("requiresRepublish", false),
                  value("seLinuxMount", false)))
          .prepareCreate(CsiDriverRules::withoutLimitScaling)
          .prepareUpdate(CsiDriverRules::prepared)
          .create(clusterMetadata(NameRule.DNS_SUBDOMAIN), SPEC)
          .update(
              metadataUpdate(),
              SPEC,
              CsiDriverRules::attachment,
              field("spec.volumeLifecycleModes", immutable()))
          .warnings(CsiDriverRules::warnings)
          .refusesUnconditionalUpdate()
          .answersDeleteWithObject()
          .build();

  private CsiDriverRules() {}

  /** Drops the field of the feature VolumeLimitScaling, which is disabled by default. */
  private static JsonObject withoutLimitScaling(JsonObject driver) {
    return driver.withoutAt("spec", "preventPodSchedulingIfMissing");
  }

  private static JsonObject prepared(JsonObject driver, JsonObject old) {
    boolean kept = old.object("spec").has("preventPodSchedulingIfMissing");
    return Generation.counted(kept ? driver : withoutLimitScaling(driver), old);
  }

  private static void tokens(FieldCursor requests) {
    var seen = new HashSet<String>();
    for (var request : requests.items()) {
      var audience = request.at("audience");
      if (!seen.add(audience.text())) {
        audience.duplicate();
        continue;
      }
      var seconds = request.at("expirationSeconds");
      if (seconds.isPresent() && seconds.integer() < TEN_MINUTES) {
        seconds.invalid("may not specify a duration less than 10 minutes");
      }
      if (seconds.integer() > MOST_SECONDS) {
        seconds.invalid("may not specify a duration larger than 2^32 seconds");
      }
    }
  }

  /** The error names the list, not the item. */
  private static void modes(FieldCursor modes) {
    for (var mode : modes.items()) {
      if (!MODES.contains(mode.text())) {
        modes.report(FieldError.notSupported(modes.path(), mode.text(), MODES));
      }
    }
  }

  private static void secrets(FieldCursor spec) {
    var inSecrets = spec.at("serviceAccountTokenInSecrets");
    if (inSecrets.isPresent() && spec.at("tokenRequests").isEmpty()) {
      inSecrets.invalid("serviceAccountTokenInSecrets is set but no tokenRequests are specified");
    }
  }

  /** The error names the field as kube-apiserver does. */
  private static void attachment(FieldCursor driver) {
    var required = driver.at("spec", "attachRequired");
    if (required.isChanged()) {
      driver.report(
          FieldError.invalid(
              FieldPath.of("spec", "attachedRequired"),
              Json.of(required.isTrue()),
              MetadataRules.IMMUTABLE));
    }
  }

  private static void warnings(FieldCursor driver) {
    var spec = driver.at("spec");
    var requests = spec.at("tokenRequests");
    if (!requests.isEmpty()
        && spec.at("serviceAccountTokenInSecrets").isAbsent()
        && (!driver.isUpdate() || requests.isChanged())) {
      driver.warn(
          "spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true"
              + " to prevent possible logging of tokens in volume attributes");
    }
  }
}
