package dev.muster.registry.types.builtin;

import dev.muster.registry.rules.fleet.FleetRules;
import dev.muster.registry.table.FleetTables;
import dev.muster.registry.types.ServedTypeBuilder;
import java.util.List;

/** The types of {@code apiservercoordination.k8s.io}, which are Muster's own. */
final class FleetTypes {
  private FleetTypes() {}

  static List<ServedTypeBuilder> all() {
    var v1alpha1 = new TypeTable("apiservercoordination.k8s.io/v1alpha1", 0, 0);
    v1alpha1
        .cluster("discoverydochashes", "DiscoveryDocHashes", FleetRules.HASHES, "ddh")
        .table(FleetTables.discoveryHashes());
    return v1alpha1.builders();
  }
}
