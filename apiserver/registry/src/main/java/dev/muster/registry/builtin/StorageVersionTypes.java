package dev.muster.registry.builtin;

import dev.muster.types.ServedTypeBuilder;
import dev.muster.types.Strategy;
import dev.muster.types.TypeRules;
import dev.muster.types.table.StorageVersionTables;
import dev.muster.types.table.TableSpec;
import dev.muster.validation.fleet.MigrationRules;
import dev.muster.validation.fleet.StorageVersionRules;
import java.util.ArrayList;
import java.util.List;

/** The types of {@code internal.apiserver.k8s.io} and {@code storagemigration.k8s.io}. */
final class StorageVersionTypes implements TypeRules {
  private StorageVersionTypes() {}

  static List<ServedTypeBuilder> all() {
    var rules = new StorageVersionTypes();
    var internal = new TypeTable("internal.apiserver.k8s.io/v1alpha1", 16000, 9, rules);
    internal
        .cluster("storageversions", "StorageVersion")
        .status()
        .resets("status", "metadata", "spec");
    var migration = new TypeTable("storagemigration.k8s.io/v1beta1", 15800, 9, rules);
    migration
        .cluster("storageversionmigrations", "StorageVersionMigration")
        .status()
        .resets("status", "metadata", "spec");
    var all = new ArrayList<>(internal.builders());
    all.addAll(migration.builders());
    return all;
  }

  @Override
  public Strategy strategy(String plural) {
    return switch (plural) {
      case "storageversions" -> StorageVersionRules.STRATEGY;
      case "storageversionmigrations" -> MigrationRules.STRATEGY;
      default -> throw new IllegalArgumentException("no rules for " + plural);
    };
  }

  @Override
  public TableSpec table(String plural) {
    return switch (plural) {
      case "storageversions" -> StorageVersionTables.storageVersion();
      case "storageversionmigrations" -> StorageVersionTables.migration();
      default -> TableSpec.PLAIN;
    };
  }
}
