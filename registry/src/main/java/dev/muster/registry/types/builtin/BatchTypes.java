package dev.muster.registry.types.builtin;

import dev.muster.registry.rules.jobs.CronJobRules;
import dev.muster.registry.rules.jobs.JobRules;
import dev.muster.registry.select.BuiltInFields;
import dev.muster.registry.table.TableSpec;
import dev.muster.registry.table.WorkloadTables;
import dev.muster.registry.types.ServedTypeBuilder;
import dev.muster.registry.types.Strategy;
import dev.muster.registry.types.TypeRules;
import java.util.List;

/** The types of {@code batch}. */
final class BatchTypes implements TypeRules {
  private BatchTypes() {}

  static List<ServedTypeBuilder> all() {
    var rules = new BatchTypes();
    var v1 = new TypeTable("batch/v1", 17400, 15, rules);
    v1.namespaced("cronjobs", "CronJob", "cj").categories("all").status();
    v1.namespaced("jobs", "Job").categories("all").status().selectable(BuiltInFields.jobs());
    return v1.builders();
  }

  @Override
  public Strategy strategy(String plural) {
    return switch (plural) {
      case "cronjobs" -> CronJobRules.STRATEGY;
      case "jobs" -> JobRules.STRATEGY;
      default -> throw new IllegalArgumentException("no rules for " + plural);
    };
  }

  @Override
  public TableSpec table(String plural) {
    return switch (plural) {
      case "cronjobs" -> WorkloadTables.cronJob();
      case "jobs" -> WorkloadTables.job();
      default -> TableSpec.PLAIN;
    };
  }
}
