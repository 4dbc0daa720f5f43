package dev.muster.registry.rules.workloads;

import static dev.muster.registry.rules.Rules.metadataUpdate;
import static dev.muster.registry.rules.Rules.namespacedMetadata;

import dev.muster.model.NameRule;
import dev.muster.registry.Strategy;
import dev.muster.registry.rules.ResourceRules;

/** PodDisruptionBudget: how many pods may be away at the same time. */
final class BudgetRules {
  static final Strategy STRATEGY =
      ResourceRules.namespaced()
          .status()
          .generation()
          .create(namespacedMetadata(NameRule.DNS_SUBDOMAIN))
          .update(metadataUpdate())
          .refusesUnconditionalUpdate()
          .build();

  private BudgetRules() {}
}
