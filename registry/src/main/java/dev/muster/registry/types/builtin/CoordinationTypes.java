package dev.muster.registry.types.builtin;

import dev.muster.registry.rules.core.LeaseRules;
import dev.muster.registry.table.GroupTables;
import dev.muster.registry.types.ServedTypeBuilder;
import java.util.List;

/** The types of {@code coordination.k8s.io}. */
final class CoordinationTypes {
  private CoordinationTypes() {}

  static List<ServedTypeBuilder> all() {
    var v1 = new TypeTable("coordination.k8s.io/v1", 16500, 15);
    v1.namespaced("leases", "Lease", LeaseRules.STRATEGY).table(GroupTables.lease());
    return v1.builders();
  }
}
