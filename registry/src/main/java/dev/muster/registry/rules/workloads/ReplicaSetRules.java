package dev.muster.registry.rules.workloads;

import static dev.muster.registry.rules.Default.make;
import static dev.muster.registry.rules.Default.value;
import static dev.muster.registry.rules.Rules.metadataUpdate;
import static dev.muster.registry.rules.Rules.namespacedMetadata;

import dev.muster.model.NameRule;
import dev.muster.registry.Strategy;

/** ReplicaSet: keeps a number of pods running. */
final class ReplicaSetRules {
  static final Strategy STRATEGY =
      Templates.workload()
          .defaults(make("spec", value("replicas", 1), make("template", PodDefaults.TEMPLATE)))
          .create(namespacedMetadata(NameRule.DNS_SUBDOMAIN))
          .update(metadataUpdate())
          .build();

  private ReplicaSetRules() {}
}
