package dev.muster.registry.types.builtin;

import dev.muster.registry.rules.workloads.CronJobRules;
import dev.muster.registry.rules.workloads.JobRules;
import dev.muster.registry.select.BuiltInFields;
import dev.muster.registry.table.WorkloadTables;
import dev.muster.registry.types.ServedTypeBuilder;
import java.util.List;

/** The types of {@code batch}. */
final class BatchTypes {
  private BatchTypes() {}

  static List<ServedTypeBuilder> all() {
    var v1 = new TypeTable("batch/v1", 17400, 15);
    v1.namespaced("cronjobs", "CronJob", CronJobRules.STRATEGY, "cj")
        .categories("all")
        .status()
        .table(WorkloadTables.cronJob());
    v1.namespaced("jobs", "Job", JobRules.STRATEGY)
        .categories("all")
        .status()
        .table(WorkloadTables.job())
        .selectable(BuiltInFields.jobs());
    return v1.builders();
  }
}
