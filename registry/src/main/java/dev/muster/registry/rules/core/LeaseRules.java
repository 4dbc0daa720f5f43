package dev.muster.registry.rules.core;

import static dev.muster.registry.rules.Checks.atLeast;
import static dev.muster.registry.rules.Checks.nonNegative;
import static dev.muster.registry.rules.Rules.field;
import static dev.muster.registry.rules.Rules.plainMetadata;
import static dev.muster.registry.rules.Rules.plainMetadataUpdate;

import dev.muster.model.JsonObject;
import dev.muster.model.NameRule;
import dev.muster.registry.Strategy;
import dev.muster.registry.rules.ResourceRules;
import dev.muster.registry.rules.Rule;

/** Lease of {@code coordination.k8s.io}: who holds something, and for how long. */
final class LeaseRules {
  private static final Rule SPEC =
      field(
          "spec",
          field("leaseDurationSeconds", atLeast(1, "must be greater than 0")),
          field("leaseTransitions", nonNegative()));

  static final Strategy STRATEGY =
      ResourceRules.namespaced()
          .prepareCreate(LeaseRules::withoutElection)
          .prepareUpdate(
              (lease, old) -> old.object("spec").has("strategy") ? lease : withoutElection(lease))
          .create(plainMetadata(true, NameRule.DNS_SUBDOMAIN), SPEC)
          .update(plainMetadataUpdate(), SPEC)
          .createsOnUpdate()
          .refusesUnconditionalUpdate()
          .build();

  private LeaseRules() {}

  /** Coordinated leader election is not on by default, so its fields are dropped. */
  private static JsonObject withoutElection(JsonObject lease) {
    return lease.withoutAt("spec", "strategy").withoutAt("spec", "preferredHolder");
  }
}
