package dev.muster.registry.builtin;

import dev.muster.types.ServedTypeBuilder;
import dev.muster.types.Strategy;
import dev.muster.types.TypeRules;
import dev.muster.types.select.BuiltInFields;
import dev.muster.types.table.TableSpec;
import dev.muster.types.table.WorkloadTables;
import dev.muster.validation.batch.CronJobRules;
import dev.muster.validation.batch.JobRules;
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
