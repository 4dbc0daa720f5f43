package dev.muster.registry.rules.workloads;

import static dev.muster.registry.rules.Rules.metadataUpdate;
import static dev.muster.registry.rules.Rules.namespacedMetadata;

import dev.muster.model.NameRule;
import dev.muster.registry.Strategy;
import dev.muster.registry.rules.ResourceRules;

/** ControllerRevision: what a template was at some time. */
final class RevisionRules {
  static final Strategy STRATEGY =
      ResourceRules.namespaced()
          .create(namespacedMetadata(NameRule.DNS_SUBDOMAIN))
          .update(metadataUpdate())
          .build();

  private RevisionRules() {}
}
