package dev.muster.validation.pods;

import static dev.muster.validation.Rules.metadataUpdate;
import static dev.muster.validation.Rules.namespacedMetadata;

import dev.muster.model.validation.NameRule;
import dev.muster.schema.read.EmptyFields;
import dev.muster.types.Strategy;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.ResourceRules;
import dev.muster.validation.Rule;
import dev.muster.validation.pods.containers.ContainerRules;

/** The strategy of Pods. */
public final class PodRules {
  private static final Rule METADATA = namespacedMetadata(NameRule.DNS_SUBDOMAIN);

  public static final Strategy STRATEGY =
      ResourceRules.namespaced()
          .emptyFields(
              EmptyFields.at("spec.overhead", "spec.nodeSelector")
                  .and(PodSpecRules.EMPTY_FIELDS.under("spec")))
          .defaults(PodDefaults.POD)
          .prepareCreate(PodPreparation::forCreate)
          .prepareUpdate(PodPreparation::forUpdate)
          .prepareStatusUpdate(PodPreparation::forStatusUpdate)
          .create(PodRules::checked, PodRules::onlyNew)
          .update(metadataUpdate(), PodRules::checked, PodUpdates::annotations, PodUpdates::check)
          .statusUpdate(metadataUpdate(), PodStatusRules::check)
          .grace(PodPreparation::grace)
          .answersDeleteWithObject()
          .warnings(PodWarnings::pod)
          .earlyWarnings(PodWarnings::appArmorOfPod)
          .statusWarnings(PodStatusRules::warnings)
          .build();

  private PodRules() {}

  static void checked(FieldCursor pod) {
    var spec = pod.at("spec");
    var annotations = pod.at("metadata", "annotations");
    METADATA.check(pod);
    PodAnnotations.check(annotations, spec);
    if (spec.isKnownValid()) {
      return;
    }
    PodSpecRules.check(spec, pod.at("metadata"));
    if (spec.at("serviceAccountName").isEmpty()) {
      for (var volume : spec.at("volumes").items()) {
        for (var source : volume.at("projected", "sources").items()) {
          if (source.has("serviceAccountToken")) {
            source
                .at("serviceAccountToken")
                .forbidden("must not be specified when serviceAccountName is not set");
          }
        }
      }
    }
    spec.at("containers").items().forEach(ContainerRules::trimmedImage);
    spec.at("initContainers").items().forEach(ContainerRules::trimmedImage);
  }

  private static void onlyNew(FieldCursor pod) {
    var spec = pod.at("spec");
    if (!spec.at("ephemeralContainers").isEmpty()) {
      spec.at("ephemeralContainers").forbidden("cannot be set on create");
    }
    if (!spec.at("nodeName").isEmpty() && !spec.at("schedulingGates").isEmpty()) {
      spec.at("nodeName").forbidden("cannot be set until all schedulingGates have been cleared");
    }
    PodAnnotations.match(pod.at("metadata", "annotations"), spec);
  }
}
