package dev.muster.registry.rules.workloads;

import static dev.muster.registry.rules.Rules.metadataUpdate;
import static dev.muster.registry.rules.Rules.namespacedMetadata;

import dev.muster.model.NameRule;
import dev.muster.registry.Strategy;
import dev.muster.registry.rules.ResourceRules;

/** Pod: containers that run together. */
final class PodRules {
  static final Strategy STRATEGY =
      ResourceRules.namespaced()
          .defaults(PodDefaults.POD)
          .prepareCreate(PodPreparation::forCreate)
          .prepareUpdate(PodPreparation::forUpdate)
          .prepareStatusUpdate(PodPreparation::forStatusUpdate)
          .create(namespacedMetadata(NameRule.DNS_SUBDOMAIN))
          .update(metadataUpdate())
          .statusUpdate(metadataUpdate())
          .grace(PodPreparation::grace)
          .answersDeleteWithObject()
          .build();

  private PodRules() {}
}
