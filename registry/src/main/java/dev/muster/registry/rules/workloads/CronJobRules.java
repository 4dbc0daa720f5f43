package dev.muster.registry.rules.workloads;

import static dev.muster.registry.rules.Default.make;
import static dev.muster.registry.rules.Default.value;
import static dev.muster.registry.rules.Rules.metadataUpdate;
import static dev.muster.registry.rules.Rules.namespacedMetadata;

import dev.muster.model.JsonObject;
import dev.muster.model.NameRule;
import dev.muster.registry.Strategy;
import dev.muster.registry.rules.Default;

/** CronJob: makes jobs at certain times. */
final class CronJobRules {
  private static final String[] POD = {"spec", "jobTemplate", "spec", "template", "spec"};

  private static final Default DEFAULTS =
      make(
          "spec",
          value("concurrencyPolicy", "Allow"),
          value("suspend", false),
          value("successfulJobsHistoryLimit", 3),
          value("failedJobsHistoryLimit", 1),
          make("jobTemplate", make("spec", JobRules.TEMPLATED)));

  static final Strategy STRATEGY =
      Templates.workload()
          .defaults(DEFAULTS)
          .prepareCreate(object -> DisabledFields.droppedAt(object, JsonObject.EMPTY, POD))
          .prepareUpdate((object, old) -> DisabledFields.droppedAt(object, old, POD))
          .create(namespacedMetadata(NameRule.DNS_SUBDOMAIN))
          .update(metadataUpdate())
          .build();

  private CronJobRules() {}
}
