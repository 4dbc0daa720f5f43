package dev.muster.registry.rules.workloads;

import static dev.muster.registry.rules.Default.each;
import static dev.muster.registry.rules.Default.in;
import static dev.muster.registry.rules.Default.make;
import static dev.muster.registry.rules.Default.value;
import static dev.muster.registry.rules.Default.when;
import static dev.muster.registry.rules.Rules.metadataUpdate;
import static dev.muster.registry.rules.Rules.namespacedMetadata;

import dev.muster.model.JsonObject;
import dev.muster.model.NameRule;
import dev.muster.registry.Strategy;
import dev.muster.registry.rules.Default;
import dev.muster.registry.rules.core.ClaimRules;

/** StatefulSet: pods that keep their names and volumes. */
final class StatefulSetRules {
  private static final Default DEFAULTS =
      make(
          "spec",
          value("podManagementPolicy", "OrderedReady"),
          make(
              "updateStrategy",
              when(
                  strategy -> strategy.string("type").isEmpty(),
                  value("type", "RollingUpdate"),
                  make("rollingUpdate")),
              when(
                  strategy -> strategy.string("type").equals("RollingUpdate"),
                  in("rollingUpdate", value("partition", 0)))),
          make(
              "persistentVolumeClaimRetentionPolicy",
              value("whenDeleted", "Retain"),
              value("whenScaled", "Retain")),
          value("replicas", 1),
          value("revisionHistoryLimit", 10),
          make("template", PodDefaults.TEMPLATE),
          each(
              "volumeClaimTemplates",
              Default.code(
                  claim -> claim.with("apiVersion", "v1").with("kind", "PersistentVolumeClaim")),
              make("spec", ClaimRules.SPEC_DEFAULTS),
              make("status", value("phase", "Pending"))));

  static final Strategy STRATEGY =
      Templates.workload()
          .defaults(DEFAULTS)
          .prepareCreate(set -> withoutDisabled(Templates.created(set), JsonObject.EMPTY))
          .prepareUpdate((set, old) -> withoutDisabled(Templates.updated(set, old), old))
          .create(namespacedMetadata(NameRule.DNS_LABEL))
          .update(metadataUpdate())
          .build();

  private StatefulSetRules() {}

  /** How many pods may be missing during an update belongs to a feature that is off. */
  private static JsonObject withoutDisabled(JsonObject set, JsonObject old) {
    return old.object("spec", "updateStrategy", "rollingUpdate").has("maxUnavailable")
        ? set
        : set.withoutAt("spec", "updateStrategy", "rollingUpdate", "maxUnavailable");
  }
}
