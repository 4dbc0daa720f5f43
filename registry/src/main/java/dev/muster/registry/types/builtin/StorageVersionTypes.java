package dev.muster.registry.types.builtin;

import dev.muster.registry.rules.fleet.MigrationRules;
import dev.muster.registry.rules.fleet.StorageVersionRules;
import dev.muster.registry.table.StorageVersionTables;
import dev.muster.registry.types.ServedTypeBuilder;
import java.util.ArrayList;
import java.util.List;

/** The types of {@code internal.apiserver.k8s.io} and {@code storagemigration.k8s.io}. */
final class StorageVersionTypes {
  private StorageVersionTypes() {}

  static List<ServedTypeBuilder> all() {
    var internal = new TypeTable("internal.apiserver.k8s.io/v1alpha1", 16000, 9);
    internal
        .cluster("storageversions", "StorageVersion", StorageVersionRules.STRATEGY)
        .status()
        .resets("status", "metadata", "spec")
        .table(StorageVersionTables.storageVersion());
    var migration = new TypeTable("storagemigration.k8s.io/v1beta1", 15800, 9);
    migration
        .cluster("storageversionmigrations", "StorageVersionMigration", MigrationRules.STRATEGY)
        .status()
        .resets("status", "metadata", "spec")
        .table(StorageVersionTables.migration());
    var all = new ArrayList<>(internal.builders());
    all.addAll(migration.builders());
    return all;
  }
}
