package dev.muster.validation.core;

import static dev.muster.validation.FieldChecks.atLeast;
import static dev.muster.validation.FieldChecks.nonNegative;
import static dev.muster.validation.Rules.field;
import static dev.muster.validation.Rules.ifPresent;
import static dev.muster.validation.Rules.plainMetadata;
import static dev.muster.validation.Rules.plainMetadataUpdate;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.NameRule;
import dev.muster.model.validation.Names;
import dev.muster.types.Strategy;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.ResourceRules;
import dev.muster.validation.Rule;
import java.util.List;

/** The strategy of Leases. */
public final class LeaseRules {
  private static final List<String> ELECTION = List.of("strategy", "preferredHolder");

  private static final Rule SPEC =
      field(
          "spec",
          field("leaseDurationSeconds", atLeast(1, "must be greater than 0")),
          field("leaseTransitions", nonNegative()),
          ifPresent("strategy", LeaseRules::strategy),
          LeaseRules::preferredHolder);

  public static final Strategy STRATEGY =
      ResourceRules.namespaced()
          .prepareCreate(LeaseRules::withoutElection)
          .prepareUpdate(LeaseRules::withoutNewElection)
          .create(plainMetadata(true, NameRule.DNS_SUBDOMAIN), SPEC)
          .update(plainMetadataUpdate(), SPEC)
          .createsOnUpdate()
          .refusesUnconditionalUpdate()
          .build();

  private LeaseRules() {}

  /** Drops the fields of coordinated leader election, which is disabled by default. */
  private static JsonObject withoutElection(JsonObject lease) {
    return lease.withoutAt("spec", "strategy").withoutAt("spec", "preferredHolder");
  }

  /** Keeps these fields, also with changes, if the stored Lease already has them. */
  private static JsonObject withoutNewElection(JsonObject lease, JsonObject old) {
    var kept = lease;
    for (var field : ELECTION) {
      kept = old.object("spec").has(field) ? kept : kept.withoutAt("spec", field);
    }
    return kept;
  }

  /** Like in kube-apiserver, the path contains the field twice. */
  private static void strategy(FieldCursor strategy) {
    var place = strategy.at("strategy").with(Json.of(strategy.text()));
    if (strategy.text().indexOf('/') >= 0) {
      place.invalidEach(Names.qualifiedName(strategy.text()));
    } else if (!strategy.isText("OldestEmulationVersion")) {
      place.notSupported(List.of("OldestEmulationVersion"));
    }
  }

  private static void preferredHolder(FieldCursor spec) {
    if (!spec.at("preferredHolder").isEmpty() && spec.at("strategy").isEmpty()) {
      spec.at("preferredHolder").forbidden("may only be specified if `strategy` is defined");
    }
  }
}
